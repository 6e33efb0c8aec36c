import { z } from "zod";
import { definePlugin } from "../../../ports/plugin.ts";
import { makeBridgedAgent } from "../../../providers/bridged/agent.ts";
import { commandField, policyFields } from "../../../providers/bridged/config.ts";
import { claudeFootprint } from "./footprint.ts";
import { checkClaude, INSTALL, MIN_VERSION } from "./preflight.ts";

const Config = z
  .object({
    ...policyFields,
    model: policyFields.model.describe("The model's name or alias; default: the program's own choice."),
    permissions: policyFields.permissions.describe(
      "What it may do without asking: nothing that changes something, edits in the workspace, or all.",
    ),
    command: commandField("claude"),
  })
  .loose();

/** Variables of the daemon that only this agent gets; other variables that look like secrets reach no session. */
const LOGIN = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "AWS_BEARER_TOKEN_BEDROCK",
  // Not secret, but it looks like one.
  "MAX_THINKING_TOKENS",
  "CLAUDE_CODE_MAX_OUTPUT_TOKENS",
];

/** Claude Code, driven through the bridge: over its own protocol, or in a terminal with hooks. */
export const claudeCode = definePlugin({
  slot: "agent",
  name: "claude-code",
  summary:
    "Claude Code by its own protocol or in a terminal: receipts, questions, usage, its conversation after a crash.",
  config: Config,
  requires: [{ program: "claude", versionArgs: ["--version"], minVersion: MIN_VERSION, fix: INSTALL }],
  secrets: LOGIN,
  variables: [
    ...["ANTHROPIC_*", "CLAUDE_*", "DISABLE_*", "BASH_*", "MCP_*", "MAX_MCP_OUTPUT_TOKENS", "API_TIMEOUT_MS", "AWS_*"],
    ...["CLOUD_ML_REGION", "VERTEX_*", "GOOGLE_*", "OTEL_*", "USE_BUILTIN_RIPGREP", "ENABLE_TOOL_SEARCH"],
  ],
  create: (config, host, context) => {
    const { model, permissions, allow, ask, deny, command } = config;
    return makeBridgedAgent(host, context.projectPath, {
      name: "claude-code",
      driver: "claude",
      settings: { command, model, permissions, allow, ask, deny },
      secrets: LOGIN,
      hasTerminal: true,
      check: (where) => checkClaude(host, config, where),
      footprint: claudeFootprint,
    });
  },
});
