import { z } from "zod";
import { definePlugin } from "../../../ports/plugin.ts";
import { makeBridgedAgent } from "../../../providers/bridged/agent.ts";
import { commandField, policyFields } from "../../../providers/bridged/config.ts";
import { footprintOf } from "../../../providers/bridged/footprint.ts";
import { checkProgram } from "../../../providers/bridged/program.ts";

/** The oldest tested version. */
const MIN_VERSION = "1.18.33";
const INSTALL = "Install it: `npm install -g opencode-ai`.";

const Config = z.object({ ...policyFields, command: commandField("opencode") }).loose();

/** Variables of the daemon that only this agent gets: it accepts any vendor's key. */
const SECRETS = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY", "OPENCODE_API_KEY"];

/** What a login of its own has; with another `enterpriseUrl` or `baseURL`, another server would answer. */
const TOKENS = ["type", "key", "access", "refresh", "expires", "accountId"];

/** OpenCode, driven over its own server through the bridge, with its own interface in a terminal. */
export const opencode = definePlugin({
  slot: "agent",
  name: "opencode",
  summary:
    "OpenCode by its own server: receipts, questions by one policy, usage, its terminal, its conversation after a crash.",
  config: Config,
  requires: [{ program: "opencode", versionArgs: ["--version"], minVersion: MIN_VERSION, fix: INSTALL }],
  secrets: SECRETS,
  variables: ["OPENCODE_*", "ANTHROPIC_*", "OPENAI_*", "GEMINI_*", "OPENROUTER_*", "AWS_*", "GOOGLE_*", "OLLAMA_*"],
  create: ({ model, permissions, allow, ask, deny, command }, host, context) =>
    makeBridgedAgent(host, context.projectPath, {
      name: "opencode",
      driver: "opencode",
      settings: { command, model, permissions, allow, ask, deny },
      secrets: SECRETS,
      hasTerminal: true,
      // It has models that need no login.
      check: async (where) => {
        const program = { command, title: "OpenCode", install: INSTALL, minVersion: MIN_VERSION };
        const problem = await checkProgram(host, program, where);
        return problem === null ? [] : [problem];
      },
      footprint: footprintOf(
        {
          path: ".local/share/opencode",
          logins: [
            // A record of the type "wellknown" names a server whose configuration it would load.
            { name: "auth.json", records: { fields: TOKENS, types: ["api", "oauth"] } },
            { name: "mcp-auth.json", records: { fields: ["tokens", "clientInfo"] } },
          ],
          conversations: ["*.db", "*.db-*", "snapshot", "storage", "tool-output"],
          omitted: ["log", "repos"],
        },
        { path: ".local/state/opencode", omitted: ["locks", "prompt-history.jsonl"] },
        { path: ".cache/opencode" },
        { path: ".config/opencode" },
      ),
    }),
});
