import { connect } from "../client/client.ts";
import { defineCommand, JSON_OPTION } from "../command.ts";
import { print, printJson } from "../views/print.ts";

export const command = defineCommand({
  name: "remove-project",
  summary: "forget a project; its files stay",
  usage: ["ID [--json]"],
  arguments: [{ name: "ID", summary: "the project's id, as `ao projects` shows it" }],
  options: { json: JSON_OPTION },
  examples: ["ao remove-project my-app"],
  async run({ args: [id = ""], options }) {
    const project = await connect().call("DELETE /api/projects/:id", { params: { id } });
    if (options.json === true) printJson(project);
    else print(`removed ${project.id}; ${project.path} is untouched`);
  },
});
