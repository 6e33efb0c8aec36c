import { shortCommit } from "../../core/hash.ts";
import { findPullRequest, PULL_ARGUMENT, pathOf } from "../args/find-pull-request.ts";
import { refuseAgent } from "../args/refuse-agent.ts";
import { connect } from "../client/client.ts";
import { defineCommand, JSON_OPTION } from "../command.ts";
import { note, print, printJson } from "../views/print.ts";

export const command = defineCommand({
  name: "approve",
  summary: "approve the current commit of a pull request",
  usage: ["PR [--body TEXT] [--head COMMIT] [--author NAME] [--json]"],
  arguments: [PULL_ARGUMENT],
  options: {
    body: { type: "string", short: "b", value: "TEXT", summary: "message" },
    head: { type: "string", value: "COMMIT", summary: "only if it is still at this commit" },
    author: { type: "string", value: "NAME", summary: "record it under this name" },
    json: JSON_OPTION,
  },
  examples: ["ao approve my-app-fix-login", 'ao approve "#3" --head 1a2b3c4'],
  details: "A newer commit needs a new approval. `ao approve` refuses inside an agent's session.",
  async run({ args: [ref = ""], options }) {
    refuseAgent("approve");
    const client = connect();
    const pull = await findPullRequest(client, ref);
    const { body, head, author } = options;
    const after = await client.call("POST /api/pull-requests/:project/:number/review", {
      params: pathOf(pull),
      input: {
        verdict: "approve",
        ...(body === undefined ? {} : { body }),
        ...(head === undefined ? {} : { head }),
        ...(author === undefined ? {} : { author }),
      },
    });
    if (options.json === true) return printJson(after);
    print(`approved #${after.number} (${shortCommit(after.head)})`);
    for (const text of after.blockers) note(`blocking merge: ${text}`);
  },
});
