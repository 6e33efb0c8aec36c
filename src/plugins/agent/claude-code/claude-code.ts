import { join } from "node:path";
import { z } from "zod";
import { decodeSignal, encodeMessage } from "../../../core/lines-protocol.ts";
import type { Agent } from "../../../ports/agent.ts";
import { definePlugin } from "../../../ports/plugin.ts";
import { MIN_VERSION, preflight } from "./preflight.ts";

const Config = z
  .object({
    model: z.string().min(1).optional().describe("The model's name or alias; default: the program's own choice."),
    permissions: z
      .enum(["ask", "edits", "all"])
      .default("ask")
      .describe("What it may do without asking: nothing that changes something, edits in the workspace, or all."),
    allow: z
      .array(z.string().min(1))
      .default([])
      .describe("Never asked about: commands (`npm test`, `git *`) and paths (`./src/**`)."),
    deny: z.array(z.string().min(1)).default([]).describe("Never done: commands and paths, over `allow`."),
    command: z
      .array(z.string())
      .min(1)
      .default(["claude"])
      .describe("The program, by name or path, and arguments that come before those of ao."),
  })
  .loose();

/** Variables of the daemon that only this agent gets; others that look like secrets reach no session. */
const LOGIN = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "AWS_BEARER_TOKEN_BEDROCK",
  // Not secret, but named like it.
  "MAX_THINKING_TOKENS",
  "CLAUDE_CODE_MAX_OUTPUT_TOKENS",
];

/** Claude Code, driven through the bridge: by its own protocol, or in a terminal with hooks. */
export const claudeCode = definePlugin({
  slot: "agent",
  name: "claude-code",
  summary:
    "Claude Code by its own protocol or in a terminal: receipts, questions, usage, its conversation after a crash.",
  config: Config,
  requires: [
    {
      program: "claude",
      versionArgs: ["--version"],
      minVersion: MIN_VERSION,
      fix: "Install it: `npm install -g @anthropic-ai/claude-code`.",
    },
  ],
  capabilities: ["structured", "terminal", "receipts", "questions", "permissions", "usage", "resume", "mid-turn"],
  create: (config, host, context): Agent => {
    const { program, args } = host.assets.bridge;
    const { model, permissions, allow, deny, command } = config;
    const settings = JSON.stringify({ command, model, permissions, allow, deny });
    return {
      launch: (launch) => ({
        argv: [program, ...args, "claude", settings],
        env: launch.resume ? { AO_RESUME: "1" } : {},
        defaults: pick(host.env, LOGIN),
        input: "inbox",
      }),
      encode: encodeMessage,
      decode: decodeSignal,
      preflight: (wanted, environment) =>
        preflight(host, config, {
          wanted: wanted ?? "structured",
          cwd: context.projectPath,
          environment: { ...pick(host.env, LOGIN), ...(environment ?? host.env) },
        }),
      footprint: ({ CLAUDE_CONFIG_DIR, HOME = "" }) => ({
        folders: [CLAUDE_CONFIG_DIR || join(HOME, ".claude")],
        network: true,
      }),
    };
  },
});

function pick(env: Readonly<Record<string, string | undefined>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
}
