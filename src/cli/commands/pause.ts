import { connect } from "../client/client.ts";
import { defineCommand, JSON_OPTION, PROJECT_OPTION } from "../command.ts";
import { print, printJson } from "../views/print.ts";

export const command = defineCommand({
  name: "pause",
  summary: "hold everything: nothing is started, sent or merged until `ao resume`",
  usage: ["[--project ID] [--json]"],
  arguments: [],
  options: { project: PROJECT_OPTION, json: JSON_OPTION },
  examples: ["ao pause", "ao pause --project my-app"],
  async run({ options: { project, json } }) {
    const answer = await connect().call("POST /api/pause", { input: project === undefined ? {} : { project } });
    if (json === true) printJson(answer);
    else if (project === undefined) print("Paused. `ao resume` continues.");
    else print(`Paused ${project}. \`ao resume --project ${project}\` continues.`);
  },
});
