import { AoError } from "../../../core/errors.ts";
import type { PullRequestDetailView } from "../../../protocol/views/pull-request.ts";
import { findPullRequest, nameOf, PULL_ARGUMENT, pathOf } from "../../args/find-pull-request.ts";
import { didYouMean, misuse } from "../../args/usage-error.ts";
import { type Client, connect } from "../../client/client.ts";
import { defineCommand, JSON_OPTION, PROJECT_OPTION } from "../../command.ts";
import { note, print, printJson, write } from "../../views/print.ts";
import { renderPullRequest, renderPullRequests } from "../../views/pull-request-view.ts";
import { style } from "../../views/style.ts";
import { visibleLine, visibleOutput } from "../../views/visible.ts";
import { colorDiff } from "../diff.ts";

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
    log: { type: "string", value: "CHECK", summary: "print the end of a check's log instead, even while it runs" },
    project: PROJECT_OPTION,
    json: JSON_OPTION,
  },
  examples: ["ao pr show my-app-fix-login", 'ao pr show "#3" --log unit'],
  async run({ args: [ref = ""], options }) {
    const client = connect();
    const pull = await findPullRequest(client, ref, options.project);
    if (options.log !== undefined) {
      const log = await readLog(client, pull, options.log);
      return options.json === true
        ? printJson({ check: options.log, log })
        : print(process.stdout.isTTY ? visibleOutput(log) : log);
    }
    if (options.json === true) printJson(pull);
    else print(renderPullRequest(pull, style(process.stdout)).join("\n"));
  },
});

export const diff = defineCommand({
  name: "pr diff",
  summary: "what a pull request changes against its base",
  usage: ["PR [--since COMMIT] [--project ID] [--json]"],
  arguments: [PULL_ARGUMENT],
  options: {
    since: { type: "string", value: "COMMIT", summary: "only what changed since a review of this commit" },
    project: PROJECT_OPTION,
    json: JSON_OPTION,
  },
  examples: ["ao pr diff my-app-fix-login"],
  async run({ args: [ref = ""], options }) {
    const client = connect();
    const pull = await findPullRequest(client, ref, options.project);
    const answer = await client.call("GET /api/pull-requests/:project/:number/diff", {
      params: pathOf(pull),
      input: options.since === undefined ? {} : { since: options.since },
    });
    if (options.json === true) printJson(answer);
    else write(process.stdout, process.stdout.isTTY ? colorDiff(answer.diff, style(process.stdout)) : answer.diff);
  },
});

export const checks = defineCommand({
  name: "pr checks",
  summary: "list the checks of a pull request, or follow them live",
  usage: ["PR [--watch] [--project ID] [--json]"],
  arguments: [PULL_ARGUMENT],
  options: {
    watch: { type: "boolean", short: "w", summary: "follow states and logs until all have ended (Ctrl+C detaches)" },
    project: PROJECT_OPTION,
    json: JSON_OPTION,
  },
  examples: ["ao pr checks my-app-fix-login", "ao pr checks my-app-fix-login -w"],
  details:
    "A running check shows its phase (set-up or run) and how long it has been running. With --watch the exit code is\n" +
    "0 when every required check has passed, and 1 otherwise. Checks keep running when you stop watching.",
  async run({ args: [ref = ""], options }) {
    const client = connect();
    const found = await findPullRequest(client, ref, options.project);
    const { renderChecks } = await import("./watch-checks.ts");
    if (options.watch === true) return follow(client, found, options.json === true);
    if (options.json === true) return printJson({ data: found.checks });
    if (found.checks.length === 0) return print(`#${found.number} has no checks`);
    print(renderChecks(found, style(process.stdout), Date.now()).join("\n"));
  },
});

async function follow(client: Client, found: PullRequestDetailView, json: boolean): Promise<void> {
  const { areChecksOver, didChecksPass, watchChecks } = await import("./watch-checks.ts");
  const { INTERRUPTED, untilInterrupted } = await import("../../views/watch.ts");
  const options = { style: style(process.stdout), isQuiet: json, signal: untilInterrupted() };
  const after = await watchChecks(client, found, options);
  if (json) printJson({ data: after.checks });
  if (!areChecksOver(after)) {
    note(`The checks of #${after.number} keep running; ao pr checks ${nameOf(after)} shows them.`);
    process.exitCode = INTERRUPTED;
  } else if (!didChecksPass(after.checks)) process.exitCode = 1;
}

// The output of a running check so far; otherwise the stored end of its log.
async function readLog(client: Client, pull: PullRequestDetailView, check: string): Promise<string> {
  if (!pull.checks.some(({ name, state }) => name === check && state === "running")) return logOf(pull.logs, check);
  const params = { ...pathOf(pull), check };
  return (await client.call("GET /api/pull-requests/:project/:number/checks/:check/log", { params })).log;
}

/** The log of a check, or an error that lists the checks with one. */
export function logOf(logs: Readonly<Record<string, string>>, check: string): string {
  const log = Object.hasOwn(logs, check) ? logs[check] : undefined;
  if (log !== undefined) return log;
  const names = Object.keys(logs).map(visibleLine).join(", ") || "none yet";
  throw new AoError({
    code: "not-found",
    message: `check \`${check}\` has no log`,
    hint: `Checks with a log: ${names}.`,
  });
}
