import { AoError } from "../../core/errors.ts";
import { shortCommit } from "../../core/hash.ts";
import { MERGE_STRATEGIES, type MergeStrategy } from "../../core/merge/strategy.ts";
import type { PullRequestDetailView } from "../../protocol/views/pull-request.ts";
import { findPullRequest, nameOf, PULL_ARGUMENT, pathOf } from "../args/find-pull-request.ts";
import { refuseAgent } from "../args/refuse-agent.ts";
import { didYouMean, misuse } from "../args/usage-error.ts";
import { type Client, connect } from "../client/client.ts";
import { defineCommand, JSON_OPTION } from "../command.ts";
import { note, print, printJson } from "../views/print.ts";
import { withLiveProgress } from "../views/progress.ts";
import { renderRules } from "../views/rules-view.ts";
import { INTERRUPTED, untilInterrupted } from "../views/watch.ts";

export const command = defineCommand({
  name: "merge",
  summary: "merge a pull request that is approved and green",
  usage: [
    "PR [--strategy squash|merge|rebase] [--override REASON] [--no-wait] [--json]",
    "PR --explain [--json]",
    "PR --cancel [--json]",
  ],
  arguments: [PULL_ARGUMENT],
  options: {
    strategy: { type: "string", short: "s", value: "NAME", summary: "squash, merge or rebase" },
    override: {
      type: "string",
      value: "REASON",
      summary: "override the project's own rules; the reason is recorded",
    },
    explain: { type: "boolean", summary: "print every rule with its verdict; merge nothing" },
    "no-wait": { type: "boolean", summary: "request the merge and return" },
    cancel: { type: "boolean", summary: "cancel a merge that was requested and has not happened yet" },
    json: JSON_OPTION,
  },
  examples: [
    "ao merge my-app-fix-login",
    'ao merge "#3" --strategy rebase',
    "ao merge my-app-fix-login --explain",
    "ao merge my-app-fix-login --cancel",
  ],
  details:
    "Waits for running checks; anything else that blocks the merge is an error that names it. Your checkout of the base\n" +
    "branch is updated too; if it has edits in the same files, the merge waits and names them. Exit code 1: not merged (yet).\n" +
    "Ctrl+C stops waiting; the merge stays requested until --cancel or a new commit.\n" +
    "--override covers approvals, labels, paths, size, quiet hours and rules, but never a failed check or a conflict.",
  async run({ args: [ref = ""], options }) {
    refuseAgent("merge");
    const strategy = await readStrategy(options.strategy);
    const client = connect();
    const pull = await findPullRequest(client, ref);
    if (options.cancel === true) return cancel(client, pull, options.json === true);
    if (options.explain === true) return explain(pull, options.json === true);
    const wait = options["no-wait"] !== true;
    const { override } = options;
    const wish = { ...(strategy === null ? {} : { strategy }), ...(override === undefined ? {} : { override }) };
    const after = await merge(client, pull, { ...wish, wait });
    if (options.json === true) printJson(after);
    else if (after.phase === "merged") print(`merged #${after.number} as ${shortCommit(after.mergeCommit ?? "")}`);
    if (after.phase === "merged") return;
    if (wait) throw notMerged(after);
    if (options.json === true) return;
    print(`requested the merge of #${after.number}`);
    for (const text of after.blockers) note(`waiting for: ${text}`);
  },
});

/** Prints each rule with its verdict; the exit code says whether the pull request could merge now. */
function explain(pull: PullRequestDetailView, json: boolean): void {
  const isFree = isFreeToMerge(pull);
  if (!isFree) process.exitCode = 1;
  if (json) printJson({ mergeable: isFree, rules: pull.rules });
  else print(renderExplanation(pull).join("\n"));
}

function isFreeToMerge({ phase, rules }: PullRequestDetailView): boolean {
  return phase === "open" && rules.every(({ verdict }) => verdict === "met" || verdict === "overridden");
}

/** Each rule with its verdict, and what follows from them. */
export function renderExplanation(pull: PullRequestDetailView): readonly string[] {
  const open = isFreeToMerge(pull) ? "can be merged" : "cannot be merged now";
  return [...renderRules(pull.rules), `#${pull.number} ${pull.phase === "open" ? open : `is ${pull.phase}`}`];
}

async function cancel(client: Client, pull: PullRequestDetailView, json: boolean): Promise<void> {
  const after = await client.call("DELETE /api/pull-requests/:project/:number/merge", { params: pathOf(pull) });
  if (json) printJson(after);
  else print(`cancelled the merge of #${after.number}`);
}

async function merge(
  client: Client,
  pull: PullRequestDetailView,
  input: { readonly strategy?: MergeStrategy; readonly override?: string; readonly wait: boolean },
): Promise<PullRequestDetailView> {
  const params = pathOf(pull);
  const look = (): Promise<PullRequestDetailView> => client.call("GET /api/pull-requests/:project/:number", { params });
  const signal = untilInterrupted();
  const interrupted = new Promise<null>((resolve) =>
    signal.addEventListener("abort", () => resolve(null), { once: true }),
  );
  const work = client.call("POST /api/pull-requests/:project/:number/merge", { params, input });
  const after = await withLiveProgress(Promise.race([work, interrupted]), async () => {
    const now = await look();
    return `merging #${now.number}: ${whyNot(now)} ...`;
  });
  if (after !== null) return after;
  note(describeInterrupted(await look()));
  // The request is still waiting for an answer that nobody needs any more.
  process.exit(INTERRUPTED);
}

/** What continues after Ctrl+C, and how to end that too. */
export function describeInterrupted(pull: PullRequestDetailView): string {
  if (pull.phase === "merged") return `#${pull.number} is merged as ${shortCommit(pull.mergeCommit ?? "")}`;
  if (pull.mergeRequest === null) return `#${pull.number} is not merged: ${whyNot(pull)}`;
  const then = pull.blockers.length === 0 ? "is about to happen" : `happens once this clears: ${whyNot(pull)}`;
  return `The merge of #${pull.number} is still requested and ${then}\nCancel it with: ao merge --cancel ${nameOf(pull)}`;
}

/** Why a pull request is not merged, as an error with the next step. */
export function notMerged(pull: PullRequestDetailView): AoError {
  const hint =
    pull.mergeRequest === null
      ? `\`ao pr show ${pull.key}\` shows it.`
      : `It will merge automatically once this clears; a new commit or \`ao merge --cancel ${nameOf(pull)}\` cancels that.`;
  return new AoError({ code: "conflict", message: `#${pull.number} is not merged: ${whyNot(pull)}`, hint });
}

function whyNot(pull: PullRequestDetailView): string {
  return pull.mergeRequest?.reason ?? pull.refusal ?? (pull.blockers.join("; ") || pull.evidence);
}

async function readStrategy(written: string | undefined): Promise<MergeStrategy | null> {
  if (written === undefined) return null;
  const known = MERGE_STRATEGIES.find((one) => one === written);
  if (known !== undefined) return known;
  throw misuse(
    `unknown strategy "${written}"`,
    (await didYouMean(written, MERGE_STRATEGIES)) ?? MERGE_STRATEGIES.join(", "),
  );
}
