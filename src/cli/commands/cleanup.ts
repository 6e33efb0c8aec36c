import { connect } from "../client/client.ts";
import { defineCommand, JSON_OPTION } from "../command.ts";
import { print, printJson } from "../views/print.ts";
import { visibleLine } from "../views/visible.ts";

const WORDS = { removed: "removed", "would-remove": "would remove", refused: "kept" } as const;

export const command = defineCommand({
  name: "cleanup",
  summary: "remove worktrees and branches of merged work; keeps what is unmerged or dirty",
  usage: ["[--dry-run] [--preserved] [--json]"],
  arguments: [],
  options: {
    "dry-run": { type: "boolean", short: "n", summary: "only say what would be removed" },
    preserved: { type: "boolean", summary: "also delete saved work of stopped sessions" },
    json: JSON_OPTION,
  },
  examples: ["ao cleanup --dry-run"],
  async run({ options }) {
    const input = {
      dryRun: options["dry-run"] === true,
      ...(options.preserved === true ? { preserved: true } : {}),
    };
    const answer = await connect().call("POST /api/cleanup", { input });
    if (options.json === true) return printJson(answer);
    if (answer.items.length === 0) return print("nothing to clean up");
    const lines = answer.items.map(
      (item) => `${WORDS[item.action]} ${item.sessionId} (${item.branch}): ${visibleLine(item.reason)}`,
    );
    print(lines.join("\n"));
  },
});
