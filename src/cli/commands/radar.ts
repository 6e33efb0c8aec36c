import { connect } from "../client/client.ts";
import { defineCommand, JSON_OPTION, PROJECT_OPTION } from "../command.ts";
import { renderCollisions } from "../views/collision-table.ts";
import { print, printJson } from "../views/print.ts";
import { style } from "../views/style.ts";

export const command = defineCommand({
  name: "radar",
  summary: "sessions whose work would conflict, before any pull request does",
  usage: ["[--project ID] [--json]"],
  arguments: [],
  options: { project: PROJECT_OPTION, json: JSON_OPTION },
  examples: ["ao radar"],
  details:
    "ao merges every pair of sessions of a project, and each session with the base branch, in memory, uncommitted files included.\n" +
    "It does so after each turn, after the base moves, and once a minute while agents work. Sessions in clones are not compared.",
  async run({ options }) {
    const input = options.project === undefined ? {} : { project: options.project };
    const answer = await connect().call("GET /api/radar", { input });
    if (options.json === true) return printJson(answer);
    if (answer.data.length === 0) return print("nothing collides");
    const columns = process.stdout.isTTY ? process.stdout.columns || 80 : undefined;
    print(renderCollisions(answer.data, { style: style(process.stdout), columns }).join("\n"));
  },
});
