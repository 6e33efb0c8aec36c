import { join } from "node:path";
import { z } from "zod";
import { decodeSignal, encodeMessage } from "../../../core/lines-protocol.ts";
import type { Agent } from "../../../ports/agent.ts";
import { definePlugin } from "../../../ports/plugin.ts";
import { CAPABILITIES, policyFields } from "../../../providers/acp/agent.ts";
import { checkCodex, INSTALL, MIN_VERSION } from "./preflight.ts";

const Config = z
  .object({
    ...policyFields,
    permissions: policyFields.permissions.describe(
      "What it may do without asking: plain reading, all that its sandbox keeps in the workspace, or all.",
    ),
    command: z
      .array(z.string())
      .min(1)
      .default(["codex"])
      .describe("The program, by name or path, and arguments that come before those of ao."),
  })
  .loose();

/** Variables of the daemon that only this agent gets: keys for providers of the user's own configuration. */
const SECRETS = ["OPENAI_API_KEY", "AZURE_OPENAI_API_KEY"];

/** Codex, driven by its own protocol through the bridge. */
export const codex = definePlugin({
  slot: "agent",
  name: "codex",
  summary:
    "Codex by its own protocol: receipts, questions, usage, its sandbox, and the same conversation after a crash.",
  config: Config,
  requires: [{ program: "codex", versionArgs: ["--version"], minVersion: MIN_VERSION, fix: INSTALL }],
  capabilities: CAPABILITIES,
  create: (config, host, context): Agent => {
    const { program, args } = host.assets.bridge;
    const { model, permissions, allow, deny, command } = config;
    const settings = JSON.stringify({ command, model, permissions, allow, deny });
    const secrets = Object.fromEntries(SECRETS.flatMap((name) => (host.env[name] ? [[name, host.env[name]]] : [])));
    return {
      launch: (launch) => ({
        argv: [program, ...args, "codex", settings],
        env: launch.resume ? { AO_RESUME: "1" } : {},
        defaults: secrets,
        input: "inbox",
      }),
      encode: encodeMessage,
      decode: decodeSignal,
      preflight: (_, environment) =>
        checkCodex(host, command, {
          cwd: context.projectPath,
          environment: { ...secrets, ...(environment ?? host.env) },
        }),
      footprint: ({ CODEX_HOME, HOME = "" }) => ({
        folders: [CODEX_HOME || join(HOME, ".codex")],
        network: true,
      }),
    };
  },
});
