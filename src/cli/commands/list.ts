import { connect } from "../client.ts";
import { defineCommand, JSON_OPTION, PROJECT_OPTION } from "../command.ts";
import { showSessions } from "../show-sessions.ts";

export const command = defineCommand({
  name: "list",
  summary: "the sessions and what each of them does",
  usage: ["[--project ID] [--all] [--watch] [--json]"],
  arguments: [],
  options: {
    project: PROJECT_OPTION,
    all: { type: "boolean", short: "a", summary: "stopped sessions too" },
    watch: { type: "boolean", short: "w", summary: "keep it up to date until Ctrl+C" },
    json: JSON_OPTION,
  },
  examples: ["ao list --watch", "ao list --project my-app --json"],
  async run({ options }) {
    await showSessions(connect(), options);
  },
});
