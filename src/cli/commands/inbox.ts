import { connect } from "../client/client.ts";
import { defineCommand, JSON_OPTION } from "../command.ts";
import { renderInbox } from "../views/inbox-view.ts";
import { print, printJson } from "../views/print.ts";
import { style } from "../views/style.ts";

export const command = defineCommand({
  name: "inbox",
  summary: "list what needs you, and the command for each",
  usage: ["[--json]"],
  arguments: [],
  options: { json: JSON_OPTION },
  examples: ["ao inbox"],
  details: "Questions come first and are shown in full, with every line of the command or diff that they are about.",
  async run({ options }) {
    const answer = await connect().call("GET /api/inbox");
    if (options.json === true) return printJson(answer);
    const now = Date.now();
    print(renderInbox(answer.data, { now, style: style(process.stdout), width: process.stdout.columns }).join("\n"));
  },
});
