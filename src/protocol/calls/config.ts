import { z } from "zod";
import { ConfigAcceptBody, ConfigEditBody, ConfigTextBody, configProject } from "../bodies/config.ts";
import { ConfigPreviewView, ConfigView } from "../views/config.ts";
import { DryRunView } from "../views/dry-run.ts";
import type { CallTable } from "./call.ts";

// The text can contain secrets, so not every token may even read it.
const common = {
  tag: "configuration",
  scope: "admin",
  errors: ["project-unknown", "config-not-found"],
} as const;

export const CONFIG_CALLS = {
  "GET /api/config": {
    ...common,
    summary: "Read a configuration file and the values in force.",
    query: z.strictObject({ project: configProject }),
    answer: ConfigView,
  },
  "POST /api/config/preview": {
    ...common,
    summary: "Check a changed configuration and show what it would change; nothing is written.",
    changesNothing: true,
    body: ConfigTextBody,
    answer: ConfigPreviewView,
  },
  "POST /api/config/dry-run": {
    ...common,
    summary:
      "Replay the last 7 days under a changed configuration and show what its rules would have done; nothing is sent, merged or written.",
    errors: [...common.errors, "config-invalid", "timeout"],
    changesNothing: true,
    body: ConfigTextBody,
    answer: DryRunView,
  },
  "POST /api/config/edit": {
    ...common,
    summary: "Set one key in the text of a configuration and keep everything else as it is; nothing is written.",
    errors: [...common.errors, "config-invalid", "conflict", "usage"],
    changesNothing: true,
    body: ConfigEditBody,
    answer: z.object({ text: z.string() }),
  },
  "PUT /api/config": {
    ...common,
    summary: "Replace a configuration file, if it is still the version that was read; it is used at once.",
    errors: [...common.errors, "config-invalid", "changed-meanwhile", "store-unwritable"],
    ifMatch: true,
    body: ConfigTextBody,
    answer: ConfigView,
  },
  "POST /api/config/accept": {
    ...common,
    summary: "Let a configuration take effect that a merge, pull, checkout or clone brought.",
    errors: [...common.errors, "config-invalid", "changed-meanwhile"],
    body: ConfigAcceptBody,
    answer: ConfigView,
  },
} as const satisfies CallTable;
