import { parseDuration } from "../args/duration.ts";
import { connect } from "../client/client.ts";
import { defineCommand, JSON_OPTION } from "../command.ts";
import { print, printJson } from "../views/print.ts";

export const command = defineCommand({
  name: "ack",
  summary: "dismiss an inbox item, or snooze it",
  usage: ["ID [--for DURATION] [--json]"],
  arguments: [{ name: "ID", summary: "as `ao inbox` prints it, or a unique prefix" }],
  options: {
    for: { type: "string", value: "DURATION", summary: "snooze it for this long, such as 30m or 2h" },
    json: JSON_OPTION,
  },
  examples: ["ao ack my-app/3/ci-failed:unit", "ao ack my-app-fix-login/question --for 2h"],
  details:
    "It returns if the problem changes: another commit, another failure. Questions and reviews can be snoozed, but not dismissed.",
  async run({ args: [id = ""], options }) {
    const client = connect();
    if (options.for === undefined) {
      const answer = await client.call("POST /api/inbox/ack", { input: { id } });
      if (options.json === true) printJson(answer);
      else print(`dismissed ${answer.id}`);
      return;
    }
    const until = new Date(Date.now() + parseDuration(options.for, "--for")).toISOString();
    const answer = await client.call("POST /api/inbox/snooze", { input: { id, until } });
    if (options.json === true) printJson(answer);
    else print(`snoozed ${answer.id} for ${options.for}`);
  },
});
