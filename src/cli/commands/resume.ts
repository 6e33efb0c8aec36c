import { connect } from "../client.ts";
import { defineCommand, JSON_OPTION, PROJECT_OPTION } from "../command.ts";
import { print, printJson } from "../print.ts";

export const command = defineCommand({
  name: "resume",
  summary: "go on after pause",
  usage: ["[--project ID] [--json]"],
  arguments: [],
  options: { project: PROJECT_OPTION, json: JSON_OPTION },
  examples: ["ao resume"],
  async run({ options: { project, json } }) {
    const answer = await connect().call("POST /api/resume", { input: project === undefined ? {} : { project } });
    if (json === true) printJson(answer);
    else print(`resumed${project === undefined ? "" : ` ${project}`}`);
  },
});
