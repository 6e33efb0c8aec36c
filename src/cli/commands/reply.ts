import { findPullRequest, PULL_ARGUMENT, pathOf } from "../args/find-pull-request.ts";
import { checkArgument } from "../args/read-text.ts";
import { refuseAgent } from "../args/refuse-agent.ts";
import { connect } from "../client/client.ts";
import { defineCommand, JSON_OPTION } from "../command.ts";
import { print, printJson } from "../views/print.ts";
import { findThread, resolveThread } from "./review.ts";

export const command = defineCommand({
  name: "reply",
  summary: "reply in a thread of a pull request",
  usage: ['PR THREAD "TEXT" [--resolve] [--author NAME] [--json]'],
  arguments: [
    PULL_ARGUMENT,
    { name: "THREAD", summary: "its id, as `ao pr show` prints it, or a unique prefix" },
    { name: "TEXT", summary: "message", text: true },
  ],
  options: {
    resolve: { type: "boolean", summary: "resolve the thread too" },
    author: { type: "string", value: "NAME", summary: "record it under this name" },
    json: JSON_OPTION,
  },
  examples: ['ao reply my-app-fix-login rv-1a2b3c4d.1 "Only until the next release"'],
  details: "Replies by people go to the agent. An agent never gets its own replies back.",
  async run({ args: [ref = "", written = "", text = ""], options }) {
    checkArgument(text);
    const client = connect();
    const pull = await findPullRequest(client, ref);
    const thread = findThread(pull, written);
    const { author } = options;
    const isAgent = pull.sessionId !== null && process.env["AO_SESSION"] === pull.sessionId;
    if (options.resolve === true) refuseAgent("resolve threads");
    // Resolve first: a reply in an open thread goes to the agent as a new task.
    if (options.resolve === true) await resolveThread(client, pull, thread);
    const after =
      isAgent && pull.sessionId !== null
        ? await client.call("POST /api/sessions/:id/reply", { params: { id: pull.sessionId }, input: { thread, text } })
        : await client.call("POST /api/pull-requests/:project/:number/threads/:thread/reply", {
            params: { ...pathOf(pull), thread },
            input: { text, ...(author === undefined ? {} : { author }) },
          });
    if (options.json === true) printJson(after);
    else print(`replied in ${thread}${options.resolve === true ? " and resolved it" : ""}`);
  },
});
