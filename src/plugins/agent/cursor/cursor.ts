import { z } from "zod";
import { decodeSignal, encodeMessage } from "../../../core/lines-protocol.ts";
import type { Agent } from "../../../ports/agent.ts";
import { definePlugin } from "../../../ports/plugin.ts";
import { policyFields } from "../../../providers/acp/agent.ts";
import { footprintOf } from "../../../providers/home/footprint.ts";
import { checkCursor, INSTALL, MIN_VERSION, SECRETS } from "./preflight.ts";
import { toTokens } from "./tokens.ts";

const Config = z
  .object({
    ...policyFields,
    permissions: policyFields.permissions.describe(
      "Must be `all`: where nobody can be asked, it does everything that is not denied, or nothing.",
    ),
    allow: policyFields.allow.describe("Without effect: with `all` nothing is left to allow."),
    deny: policyFields.deny.describe("Never done: programs (`rm`), paths (`./secrets/**`) and rules (`Shell(curl)`)."),
    command: z
      .array(z.string())
      .min(1)
      .default(["cursor-agent"])
      .describe("The program, by name or path, and arguments that come before those of ao."),
  })
  .loose();

/** The Cursor CLI, one process for each turn, through the bridge. */
export const cursor = definePlugin({
  slot: "agent",
  name: "cursor",
  summary: "The Cursor CLI, one process for each turn: receipts, usage, and the same conversation after a crash.",
  config: Config,
  requires: [{ program: "cursor-agent", versionArgs: ["--version"], minVersion: MIN_VERSION, fix: INSTALL }],
  capabilities: ["structured", "receipts", "usage", "resume"],
  create: (config, host, context): Agent => {
    const { program, args } = host.assets.bridge;
    const { model, permissions, command } = config;
    const deny = config.deny.flatMap((entry) => toTokens(entry) ?? []);
    const settings = JSON.stringify({ command, model, permissions, deny });
    const secrets = Object.fromEntries(SECRETS.flatMap((name) => (host.env[name] ? [[name, host.env[name]]] : [])));
    return {
      launch: (launch) => ({
        argv: [program, ...args, "cursor", settings],
        env: launch.resume ? { AO_RESUME: "1" } : {},
        defaults: secrets,
        input: launch.interface === "terminal" ? "terminal" : "inbox",
      }),
      encode: encodeMessage,
      decode: decodeSignal,
      preflight: (wanted, environment) =>
        checkCursor(host, config, {
          wanted: wanted ?? "structured",
          cwd: context.projectPath,
          environment: { ...secrets, ...(environment ?? host.env) },
        }),
      footprint: footprintOf(".cursor", ".config/cursor"),
    };
  },
});
