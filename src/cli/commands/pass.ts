import { connect } from "../client/client.ts";
import { defineCommand, JSON_OPTION } from "../command.ts";
import { print, printJson } from "../views/print.ts";

export const command = defineCommand({
  name: "pass",
  summary: "send the agent a message that waits for your approval",
  usage: ["ID [--json]"],
  arguments: [{ name: "ID", summary: "as `ao inbox` prints it, or a unique prefix" }],
  options: { json: JSON_OPTION },
  examples: ["ao pass my-app/3/changes-requested:r-1"],
  details:
    "Comments from people without write access wait for you, and so do messages after `requireApprovalAfter`. `ao ack` dismisses them instead.",
  async run({ args: [id = ""], options }) {
    const answer = await connect().call("POST /api/inbox/pass", { input: { id } });
    if (options.json === true) printJson(answer);
    else print(`passed on ${answer.id}`);
  },
});
