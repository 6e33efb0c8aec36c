import { connect } from "../client.ts";
import { defineCommand, JSON_OPTION } from "../command.ts";
import { print, printJson } from "../print.ts";

export const command = defineCommand({
  name: "ack",
  summary: "put something of the inbox aside: seen, nothing to do now",
  usage: ["ID [--json]"],
  arguments: [{ name: "ID", summary: "as `ao inbox` prints it, or a beginning of it" }],
  options: { json: JSON_OPTION },
  examples: ["ao ack my-app/3/ci-failed:unit"],
  details: "It comes back when it looks different: another commit, another failure. Questions are answered instead.",
  async run({ args: [id = ""], options }) {
    const answer = await connect().call("POST /api/inbox/ack", { input: { id } });
    if (options.json === true) printJson(answer);
    else print(`put aside ${answer.id}`);
  },
});
