import { z } from "zod";
import { decodeSignal, encodeMessage } from "../../../core/lines-protocol.ts";
import type { Agent } from "../../../ports/agent.ts";
import { definePlugin } from "../../../ports/plugin.ts";
import { policyFields } from "../../../providers/acp/agent.ts";
import { footprintOf } from "../../../providers/home/footprint.ts";
import { checkAider, INSTALL, KEYS, MIN_VERSION } from "./preflight.ts";

const Config = z
  .object({
    ...policyFields,
    model: policyFields.model.describe("The model's name or alias; default: by the key that is there."),
    permissions: policyFields.permissions.describe(
      "Must be `edits` or `all`, which are the same: it edits and commits without asking, and runs no commands.",
    ),
    allow: policyFields.allow.describe("Without effect: it asks about nothing."),
    deny: policyFields.deny.describe("Commands only, none of which it runs; a path is refused."),
    command: z
      .array(z.string())
      .min(1)
      .default(["aider"])
      .describe("The program, by name or path, and arguments that come before those of ao."),
  })
  .loose();

/** Aider, one process for each turn, through the bridge. */
export const aider = definePlugin({
  slot: "agent",
  name: "aider",
  summary: "Aider, one process for each turn: receipts, usage, commits of its own, and its history after a crash.",
  config: Config,
  requires: [{ program: "aider", versionArgs: ["--version"], minVersion: MIN_VERSION, fix: INSTALL }],
  capabilities: ["structured", "receipts", "usage", "resume"],
  create: (config, host, context): Agent => {
    const { program, args } = host.assets.bridge;
    const { model, permissions, command } = config;
    const settings = JSON.stringify({ command, model, permissions });
    const keys = Object.fromEntries(KEYS.flatMap((name) => (host.env[name] ? [[name, host.env[name]]] : [])));
    return {
      launch: (launch) => ({
        argv: [program, ...args, "aider", settings],
        env: launch.resume ? { AO_RESUME: "1" } : {},
        defaults: keys,
        input: launch.interface === "terminal" ? "terminal" : "inbox",
      }),
      encode: encodeMessage,
      decode: decodeSignal,
      preflight: (wanted, environment) =>
        checkAider(host, config, {
          wanted: wanted ?? "structured",
          cwd: context.projectPath,
          environment: { ...keys, ...(environment ?? host.env) },
        }),
      footprint: footprintOf(".aider"),
    };
  },
});
