import { connect } from "../client/client.ts";
import { defineCommand, JSON_OPTION } from "../command.ts";
import { print, printJson } from "../views/print.ts";
import { style } from "../views/style.ts";
import { renderTable } from "../views/table.ts";

export const command = defineCommand({
  name: "projects",
  summary: "the registered projects",
  usage: ["[--json]"],
  arguments: [],
  options: { json: JSON_OPTION },
  examples: ["ao projects"],
  async run({ options }) {
    const answer = await connect().call("GET /api/projects");
    if (options.json === true) return printJson(answer);
    if (answer.data.length === 0) return print("no projects; add one with: ao add-project PATH");
    const rows = answer.data.map((project) => [
      project.id,
      project.paused ? "paused" : String(project.sessions),
      project.defaultBranch,
      project.path,
    ]);
    const paint = style(process.stdout);
    const table = renderTable([["ID", "SESSIONS", "BRANCH", "PATH"], ...rows], {
      paint: (text, row) => (row === 0 ? paint.dim(text) : text),
    });
    print(table.join("\n"));
  },
});
