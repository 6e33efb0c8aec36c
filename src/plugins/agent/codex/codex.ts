import { z } from "zod";
import { definePlugin } from "../../../ports/plugin.ts";
import { makeBridgedAgent } from "../../../providers/bridged/agent.ts";
import { commandField, policyFields } from "../../../providers/bridged/config.ts";
import { footprintOf } from "../../../providers/bridged/footprint.ts";
import { checkCodex, INSTALL, MIN_VERSION } from "./preflight.ts";

const Config = z
  .object({
    ...policyFields,
    permissions: policyFields.permissions.describe(
      "What it may do without asking: plain reading, all that its sandbox keeps in the workspace, or all.",
    ),
    command: commandField("codex"),
  })
  .loose();

/** Variables of the daemon that only this agent gets: keys for providers in the user's own configuration. */
const SECRETS = ["OPENAI_API_KEY", "AZURE_OPENAI_API_KEY"];

/** Codex, driven over its own protocol through the bridge. */
export const codex = definePlugin({
  slot: "agent",
  name: "codex",
  summary:
    "Codex by its own protocol: receipts, questions, usage, its sandbox, and the same conversation after a crash.",
  config: Config,
  requires: [{ program: "codex", versionArgs: ["--version"], minVersion: MIN_VERSION, fix: INSTALL }],
  secrets: SECRETS,
  variables: ["CODEX_*", "OPENAI_*", "AZURE_OPENAI_*", "RUST_LOG"],
  confines: true,
  create: ({ model, permissions, allow, ask, deny, command }, host, context) =>
    makeBridgedAgent(host, context.projectPath, {
      name: "codex",
      driver: "codex",
      settings: { command, model, permissions, allow, ask, deny },
      secrets: SECRETS,
      hasTerminal: true,
      check: (where) => checkCodex(host, command, where),
      footprint: footprintOf({
        path: ".codex",
        variable: "CODEX_HOME",
        logins: [
          { name: "auth.json", fields: ["auth_mode", "OPENAI_API_KEY", "tokens", "last_refresh"] },
          { name: ".credentials.json" },
        ],
        conversations: ["sessions", "state_*", "thread_history_*", "goals_*", "queue_*", "session_index.jsonl"],
        omitted: [
          "archived_sessions",
          "history.jsonl",
          "log",
          "shell_snapshots",
          "thread-writer-locks",
          "tmp",
          ".tmp*",
        ],
      }),
    }),
});
