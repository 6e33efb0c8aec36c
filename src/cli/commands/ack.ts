import { connect } from "../client/client.ts";
import { defineCommand, JSON_OPTION } from "../command.ts";
import { print, printJson } from "../views/print.ts";

export const command = defineCommand({
  name: "ack",
  summary: "dismiss an inbox item",
  usage: ["ID [--json]"],
  arguments: [{ name: "ID", summary: "as `ao inbox` prints it, or a unique prefix" }],
  options: { json: JSON_OPTION },
  examples: ["ao ack my-app/3/ci-failed:unit"],
  details: "It returns if the problem changes: another commit, another failure. Questions are answered, not dismissed.",
  async run({ args: [id = ""], options }) {
    const answer = await connect().call("POST /api/inbox/ack", { input: { id } });
    if (options.json === true) printJson(answer);
    else print(`dismissed ${answer.id}`);
  },
});
