import type { ReactionsTestBody } from "../../protocol/bodies/rules.ts";
import { resolveProject } from "../args/project-here.ts";
import { readText } from "../args/read-text.ts";
import { misuse } from "../args/usage-error.ts";
import { connect } from "../client/client.ts";
import { defineCommand, JSON_OPTION, PROJECT_OPTION } from "../command.ts";
import { print, printJson } from "../views/print.ts";
import { renderRehearsals } from "../views/rehearsal-view.ts";

const test = defineCommand({
  name: "reactions test",
  summary: "what your rules would do about made-up events, without doing it",
  usage: ["[--event KEY] [--set NAME=VALUE]... [--session SESSION] [--config FILE] [--project ID] [--json]"],
  arguments: [],
  options: {
    event: {
      type: "string",
      short: "e",
      value: "KEY",
      summary: "only this one, with its messages; default: every key",
    },
    set: {
      type: "string",
      multiple: true,
      value: "NAME=VALUE",
      summary: "what the event says: label=needs-tests, check=lint, author=ann, text=..., file=...",
    },
    session: { type: "string", short: "s", value: "SESSION", summary: "as if it happened to this session now" },
    config: { type: "string", short: "c", value: "FILE", summary: "use the rules of this file" },
    project: PROJECT_OPTION,
    json: JSON_OPTION,
  },
  examples: [
    "ao reactions test",
    "ao reactions test --event ci-failed",
    "ao reactions test --event label-added --set label=needs-tests",
    "ao reactions test --event ci-failed --session my-app-fix-login",
  ],
  details:
    "Assumes that nobody deals with the event: the agent ends its turns without a commit, and then a day passes. Nothing is sent or changed.\n" +
    "Without --session it happens to a made-up session with an open pull request.",
  async run({ options }) {
    const client = connect();
    const { event, session, config } = options;
    const facts = readFacts(options.set ?? []);
    const input: ReactionsTestBody = {
      ...(session === undefined ? { project: await resolveProject(client, options.project) } : { session }),
      ...(event === undefined ? {} : { event: await canonical(event) }),
      ...(config === undefined ? {} : { config: await readText(config) }),
      ...(Object.keys(facts).length === 0 ? {} : { facts }),
    };
    const answer = await client.call("POST /api/reactions/test", { input });
    if (options.json === true) printJson(answer);
    else print(renderRehearsals(answer.data, event !== undefined).join("\n"));
  },
});

// Aliases and names that `ao events` prints, as the daemon knows them.
async function canonical(event: string): Promise<string> {
  const { canonicalReaction } = await import("../../config/schema/reaction-key.ts");
  return canonicalReaction(event);
}

function readFacts(written: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    written.map((text) => {
      const at = text.indexOf("=");
      if (at < 1) throw misuse(`--set is not NAME=VALUE: ${text}`, "For example: --set label=needs-tests");
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}

export const command = defineCommand({
  name: "reactions",
  summary: "try out what your rules do",
  usage: ["test"],
  arguments: [],
  options: {},
  examples: ["ao reactions test"],
  details: "`ao replay` shows what rules did, or would have done, in the past.",
  subcommands: [test],
});
