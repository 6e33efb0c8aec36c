import { AoError } from "../core/errors.ts";
import { connect } from "./client.ts";
import { defineCommand, JSON_OPTION, PROJECT_OPTION } from "./command.ts";
import { colorDiff } from "./commands/diff.ts";
import { findPullRequest, PULL_ARGUMENT, pathOf } from "./find-pull-request.ts";
import { print, printJson } from "./print.ts";
import { renderPullRequest, renderPullRequests } from "./pull-request-view.ts";
import { style } from "./style.ts";
import { oneLine } from "./table.ts";
import { didYouMean, misuse } from "./usage.ts";

const STATES = ["open", "merged", "closed", "all"] as const;

export const list = defineCommand({
  name: "pr list",
  summary: "list pull requests with their status",
  usage: ["[--project ID] [--state open|merged|closed|all] [--json]"],
  arguments: [],
  options: {
    project: PROJECT_OPTION,
    state: { type: "string", short: "s", value: "STATE", summary: "open (the default), merged, closed or all" },
    json: JSON_OPTION,
  },
  examples: ["ao pr list", "ao pr list --state all --project my-app"],
  async run({ options: { project, state: written, json } }) {
    const state = STATES.find((known) => known === (written ?? "open"));
    if (state === undefined) {
      const hint = (await didYouMean(written ?? "", STATES)) ?? `--state ${STATES.join(", ")}`;
      throw misuse(`unknown state "${written}"`, hint);
    }
    const input = { state, ...(project === undefined ? {} : { project }) };
    const answer = await connect().call("GET /api/pull-requests", { input });
    if (json === true) return printJson(answer);
    if (answer.data.length === 0) {
      return print(state === "open" ? "no open pull requests (--state all shows the others)" : "no pull requests");
    }
    const columns = process.stdout.isTTY ? process.stdout.columns || 80 : undefined;
    print(renderPullRequests(answer.data, style(process.stdout), columns).join("\n"));
  },
});

export const show = defineCommand({
  name: "pr show",
  summary: "show a pull request: checks, reviews, threads, problems, what blocks its merge",
  usage: ["PR [--log CHECK] [--project ID] [--json]"],
  arguments: [PULL_ARGUMENT],
  options: {
    log: { type: "string", value: "CHECK", summary: "print the end of the log of a check instead" },
    project: PROJECT_OPTION,
    json: JSON_OPTION,
  },
  examples: ["ao pr show my-app-fix-login", 'ao pr show "#3" --log unit'],
  async run({ args: [ref = ""], options }) {
    const pull = await findPullRequest(connect(), ref, options.project);
    if (options.log !== undefined) {
      const log = logOf(pull.logs, options.log);
      return options.json === true ? printJson({ check: options.log, log }) : print(log);
    }
    if (options.json === true) printJson(pull);
    else print(renderPullRequest(pull, style(process.stdout)).join("\n"));
  },
});

export const diff = defineCommand({
  name: "pr diff",
  summary: "what a pull request changes against its base",
  usage: ["PR [--project ID] [--json]"],
  arguments: [PULL_ARGUMENT],
  options: { project: PROJECT_OPTION, json: JSON_OPTION },
  examples: ["ao pr diff my-app-fix-login"],
  async run({ args: [ref = ""], options }) {
    const client = connect();
    const pull = await findPullRequest(client, ref, options.project);
    const answer = await client.call("GET /api/pull-requests/:project/:number/diff", { params: pathOf(pull) });
    if (options.json === true) printJson(answer);
    else process.stdout.write(process.stdout.isTTY ? colorDiff(answer.diff, style(process.stdout)) : answer.diff);
  },
});

/** The log of a check, or an error that names those that have one. */
export function logOf(logs: Readonly<Record<string, string>>, check: string): string {
  const log = Object.hasOwn(logs, check) ? logs[check] : undefined;
  if (log !== undefined) return log;
  const names = Object.keys(logs).map(oneLine).join(", ") || "none yet";
  throw new AoError({ code: "not-found", message: `check ${check} has no log`, hint: `Checks with a log: ${names}.` });
}
