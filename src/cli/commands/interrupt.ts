import { connect } from "../client.ts";
import { defineCommand, JSON_OPTION, SESSION_ARGUMENT } from "../command.ts";
import { tellFate } from "../message-fate.ts";

export const command = defineCommand({
  name: "interrupt",
  summary: "end the turn of a session's agent early",
  usage: ["[SESSION] [--json]"],
  arguments: [SESSION_ARGUMENT],
  options: { json: JSON_OPTION },
  examples: ["ao interrupt my-app-fix-login", 'ao send 42 --interrupt "Stop; do it the other way"'],
  details:
    "The agent stays, with its conversation and its work so far. Messages that wait are not dropped: they come next.\n" +
    "`delivered` means that the agent was told; `ao wait SESSION --for idle` returns when its turn is over.",
  async run({ args: [id = ""], options }) {
    const client = connect();
    const asked = await client.call("POST /api/sessions/:id/interrupt", { params: { id } });
    const hint = "`ao status` tells what its agent does; `ao stop` ends the session.";
    await tellFate(client, asked, { json: options.json === true, hint });
  },
});
