import { AoError } from "../../core/errors.ts";
import { connect } from "../client/client.ts";
import { defineCommand, JSON_OPTION } from "../command.ts";
import { print, printJson, withProgress } from "../views/print.ts";

const test = defineCommand({
  name: "notify test",
  summary: "send a test notification to one notifier, or to all configured ones",
  usage: ["[NOTIFIER] [--json]"],
  arguments: [{ name: "NOTIFIER", summary: "its name in the configuration, such as desktop", optional: true }],
  options: { json: JSON_OPTION },
  examples: ["ao notify test", "ao notify test desktop"],
  async run({ args: [notifier], options }) {
    const input = notifier === undefined ? {} : { notifier };
    const answer = await withProgress("sending", connect().call("POST /api/notify/test", { input }));
    if (options.json === true) printJson(answer);
    else for (const one of answer.data) print(`${one.notifier}: ${one.sent ? "sent" : (one.reason ?? "not sent")}`);
    const failed = answer.data.filter(({ sent }) => !sent).length;
    if (failed === 0) return;
    const hint = "`ao config get notifiers` shows how they are set up.";
    throw new AoError({ code: "plugin-failed", message: `${failed} of ${answer.data.length} were not sent`, hint });
  },
});

export const command = defineCommand({
  name: "notify",
  summary: "test notifications",
  usage: ["test [NOTIFIER]"],
  arguments: [],
  options: {},
  examples: ["ao notify test desktop"],
  subcommands: [test],
});
