import { connect } from "../client/client.ts";
import { tellFate } from "../client/message-fate.ts";
import { defineCommand, JSON_OPTION, SESSION_ARGUMENT } from "../command.ts";

export const command = defineCommand({
  name: "interrupt",
  summary: "interrupt the agent's current turn",
  usage: ["[SESSION] [--json]"],
  arguments: [SESSION_ARGUMENT],
  options: { json: JSON_OPTION },
  examples: ["ao interrupt my-app-fix-login", 'ao send 42 --interrupt "Stop; do it the other way"'],
  details:
    "The agent keeps its conversation and its work so far. Queued messages are not dropped; they come next.\n" +
    "`delivered` means that the agent got the interrupt; `ao wait SESSION --for idle` returns when the turn is over.",
  async run({ args: [id = ""], options }) {
    const client = connect();
    const asked = await client.call("POST /api/sessions/:id/interrupt", { params: { id } });
    const hint = "`ao status` shows what its agent does; `ao stop` ends the session.";
    await tellFate(client, asked, { json: options.json === true, hint });
  },
});
