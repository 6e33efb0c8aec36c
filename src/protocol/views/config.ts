import { z } from "zod";
import type { View } from "./view.ts";

const version = z.string().describe("Of the text; a write sends it back as `If-Match`.");
const notes = z.array(z.string()).describe("Keys that do nothing, and variables that are not set.");

export const ConfigProblemView = z
  .object({
    line: z.int(),
    column: z.int(),
    key: z.string().describe("Such as projects.web.agent; empty: the file as a whole."),
    message: z.string(),
    hint: z.string().nullable().describe('Such as: did you mean "agent"?'),
  })
  .meta({ id: "ConfigProblemView", description: "What is wrong at a place of a configuration." });
export type ConfigProblemView = View<typeof ConfigProblemView>;

export const HeldConfigView = z
  .object({
    version: version.describe("Of the text that waits; accepting it sends this back."),
    diff: z.string().describe("Unified, against the text in force."),
    problems: z.array(ConfigProblemView).describe("While there are any, it cannot be accepted."),
    changes: z
      .array(z.object({ key: z.string(), before: z.string().nullable(), after: z.string().nullable() }))
      .describe("Every setting that would get another value; secrets are hidden."),
    runs: z.array(z.string()).describe("The keys among them that start programs, or decide what agents may do."),
  })
  .meta({ id: "HeldConfigView", description: "A text that a commit brought, which nobody has accepted yet." });
export type HeldConfigView = View<typeof HeldConfigView>;

export const ConfigView = z
  .object({
    file: z.string(),
    text: z.string(),
    version,
    problems: z.array(ConfigProblemView).describe("While there are any, the last good text is in force."),
    notes,
    settings: z
      .array(z.object({ key: z.string(), value: z.string() }))
      .describe("Every value in force, defaults included; secrets are hidden."),
    held: HeldConfigView.nullable().describe("null: nothing waits for a person."),
  })
  .meta({ id: "ConfigView", description: "A configuration file that the daemon uses." });
export type ConfigView = View<typeof ConfigView>;

export const SettingChangeView = z
  .object({
    key: z.string().describe("Such as projects.web.reactions.ci-failed.retries."),
    before: z.string().nullable(),
    after: z.string().nullable(),
    applies: z
      .enum(["now", "next-start", "new-sessions", "daemon-restart", "registration"])
      .describe(
        "From when: at once; when an agent starts next; for new sessions; when the daemon is restarted; when `ao start` registers it.",
      ),
    sessions: z.int().describe("Open sessions that it affects."),
  })
  .meta({ id: "SettingChangeView", description: "A setting that gets another value." });
export type SettingChangeView = View<typeof SettingChangeView>;

export const ConfigPreviewView = z
  .object({
    file: z.string(),
    version: version.describe("Of the file as it is now."),
    diff: z.string().describe("Unified; empty: the text is the same."),
    problems: z.array(ConfigProblemView).describe("As `ao start` reports them; empty: it can be written."),
    notes,
    changes: z.array(SettingChangeView).describe("Against what is in force; empty if there are problems."),
  })
  .meta({ id: "ConfigPreviewView", description: "What a changed configuration would do." });
export type ConfigPreviewView = View<typeof ConfigPreviewView>;
