import { AoError } from "../../core/errors.ts";
import type { MergeStrategyName } from "../../protocol/api.ts";
import type { PullRequestDetailView } from "../../protocol/view.ts";
import { type Client, connect } from "../client.ts";
import { defineCommand, JSON_OPTION } from "../command.ts";
import { findPullRequest, PULL_ARGUMENT, pathOf } from "../find-pull-request.ts";
import { refuseAgent } from "../in-session.ts";
import { note, print, printJson } from "../print.ts";
import { withLiveProgress } from "../progress.ts";
import { short } from "../pull-request-view.ts";
import { didYouMean, misuse } from "../usage.ts";

const STRATEGIES: readonly MergeStrategyName[] = ["squash", "merge", "rebase"];

export const command = defineCommand({
  name: "merge",
  summary: "merge a pull request that is approved and green",
  usage: ["PR [--strategy squash|merge|rebase] [--no-wait] [--json]"],
  arguments: [PULL_ARGUMENT],
  options: {
    strategy: { type: "string", short: "s", value: "NAME", summary: "squash, merge or rebase" },
    "no-wait": { type: "boolean", summary: "only ask for it; it happens when nothing stands in the way" },
    json: JSON_OPTION,
  },
  examples: ["ao merge my-app-fix-login", 'ao merge "#3" --strategy rebase'],
  details:
    "Waits for checks that still run, and says what else is missing. A checkout of the base is taken along; one with changes\n" +
    "in the same files makes it wait, and they are named. Exit code 1: it is not merged (yet), with the reason.",
  async run({ args: [ref = ""], options }) {
    refuseAgent("merge");
    const strategy = await readStrategy(options.strategy);
    const client = connect();
    const pull = await findPullRequest(client, ref);
    const wait = options["no-wait"] !== true;
    const after = await merge(client, pull, { ...(strategy === null ? {} : { strategy }), wait });
    if (options.json === true) printJson(after);
    else if (after.phase === "merged") print(`merged #${after.number} as ${short(after.mergeCommit ?? "")}`);
    if (after.phase === "merged") return;
    if (wait) throw notMerged(after);
    if (options.json === true) return;
    print(`asked for the merge of #${after.number}`);
    for (const text of after.blockers) note(`it waits: ${text}`);
  },
});

function merge(
  client: Client,
  pull: PullRequestDetailView,
  input: { readonly strategy?: MergeStrategyName; readonly wait: boolean },
): Promise<PullRequestDetailView> {
  const params = pathOf(pull);
  const work = client.call("POST /api/pull-requests/:project/:number/merge", { params, input });
  return withLiveProgress(work, async () => {
    const now = await client.call("GET /api/pull-requests/:project/:number", { params });
    return `merging #${now.number}: ${whyNot(now)} ...`;
  });
}

/** Why a pull request is not merged, as an error with what comes next. */
export function notMerged(pull: PullRequestDetailView): AoError {
  const isWished = pull.mergeWish !== null;
  const hint = isWished
    ? "It is merged by itself when that is gone; a new commit takes the wish away."
    : `\`ao pr show ${pull.key}\` shows it.`;
  return new AoError({ code: "conflict", message: `#${pull.number} is not merged: ${whyNot(pull)}`, hint });
}

function whyNot(pull: PullRequestDetailView): string {
  return pull.mergeWish?.reason ?? pull.refusal ?? (pull.blockers.join("; ") || pull.evidence);
}

async function readStrategy(written: string | undefined): Promise<MergeStrategyName | null> {
  if (written === undefined) return null;
  const known = STRATEGIES.find((one) => one === written);
  if (known !== undefined) return known;
  throw misuse(`unknown strategy "${written}"`, (await didYouMean(written, STRATEGIES)) ?? STRATEGIES.join(", "));
}
