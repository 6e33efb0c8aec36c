import { connect } from "../client/client.ts";
import { defineCommand, JSON_OPTION, PROJECT_OPTION } from "../command.ts";
import { note, print, printJson } from "../views/print.ts";

export const command = defineCommand({
  name: "resume",
  summary: "resume after a pause",
  usage: ["[--project ID] [--json]"],
  arguments: [],
  options: { project: PROJECT_OPTION, json: JSON_OPTION },
  examples: ["ao resume", "ao resume --project my-app"],
  async run({ options: { project, json } }) {
    const client = connect();
    const input = project === undefined ? {} : { project };
    const answer = await client.call("POST /api/resume", { input });
    if (json === true) return printJson(answer);
    print(`Resumed${project === undefined ? "" : ` ${project}`}.`);
    const { fleet } = await client.call("GET /api/sessions", { input });
    if (project !== undefined && fleet.paused) note("All projects are still paused; `ao resume` continues.");
    for (const id of fleet.pausedProjects) note(`${id} is still paused; \`ao resume --project ${id}\` continues.`);
  },
});
