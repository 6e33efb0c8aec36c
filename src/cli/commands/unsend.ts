import { connect } from "../client/client.ts";
import { defineCommand, JSON_OPTION } from "../command.ts";
import { print, printJson } from "../views/print.ts";

export const command = defineCommand({
  name: "unsend",
  summary: "cancel a queued message",
  usage: ["SESSION MESSAGE [--json]"],
  arguments: [
    { name: "SESSION", summary: "session id, unique prefix, or issue number" },
    { name: "MESSAGE", summary: "its id, as `ao status SESSION` prints it" },
  ],
  options: { json: JSON_OPTION },
  examples: ["ao unsend my-app-fix-login m-1f0c2aa9"],
  details: "Only a message that has not been sent yet; `ao interrupt` ends the turn that a sent one started.",
  async run({ args: [id = "", mid = ""], options }) {
    const message = await connect().call("DELETE /api/sessions/:id/messages/:mid", { params: { id, mid }, input: {} });
    if (options.json === true) printJson(message);
    else print(`cancelled ${message.id}`);
  },
});
