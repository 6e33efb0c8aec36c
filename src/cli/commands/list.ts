import { connect } from "../client/client.ts";
import { defineCommand, JSON_OPTION, PROJECT_OPTION } from "../command.ts";
import { showSessions } from "../views/show-sessions.ts";

export const command = defineCommand({
  name: "list",
  summary: "list sessions: what each one is doing, and what needs you",
  usage: ["[--project ID] [--all] [--watch] [--json]"],
  arguments: [],
  options: {
    project: PROJECT_OPTION,
    all: { type: "boolean", short: "a", summary: "include stopped sessions" },
    watch: { type: "boolean", short: "w", summary: "refresh live (Ctrl+C quits)" },
    json: JSON_OPTION,
  },
  examples: ["ao list --watch", "ao list --project my-app --json"],
  details:
    "What needs you comes first. A narrow terminal drops columns, never wraps; a pipe gets whole ids and nothing cut.\n" +
    "`ao` without arguments opens the live board.",
  async run({ options }) {
    await showSessions(connect(), options);
  },
});
