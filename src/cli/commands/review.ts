import { shortCommit } from "../../core/hash.ts";
import type { ReviewBody } from "../../protocol/bodies/pull-request.ts";
import type { PullRequestDetailView } from "../../protocol/views/pull-request.ts";
import { findPullRequest, PULL_ARGUMENT, pathOf } from "../args/find-pull-request.ts";
import { parseComment } from "../args/parse-comment.ts";
import { refuseAgent } from "../args/refuse-agent.ts";
import { misuse } from "../args/usage-error.ts";
import { type Client, connect } from "../client/client.ts";
import { defineCommand, JSON_OPTION } from "../command.ts";
import { NO_PAGER_OPTION, page } from "../views/pager.ts";
import { print, printJson, write } from "../views/print.ts";
import { renderPullRequest } from "../views/pull-request-view.ts";
import { style } from "../views/style.ts";
import { colorDiff } from "./diff.ts";

export const command = defineCommand({
  name: "review",
  summary: "view or review a pull request",
  usage: [
    "PR [--no-pager] [--json]",
    "PR --request-changes TEXT [--comment FILE:LINE:TEXT ...]",
    "PR --comment FILE:LINE:TEXT ...",
    "PR [TEXT] --approve",
    "PR --resolve THREAD ...",
  ],
  arguments: [
    PULL_ARGUMENT,
    { name: "TEXT", summary: "message for --approve; alone, a general comment", optional: true, text: true },
  ],
  options: {
    "request-changes": { type: "string", value: "TEXT", summary: "request changes; the agent gets the text" },
    comment: { type: "string", value: "FILE:LINE:TEXT", multiple: true, summary: "comment on a line" },
    approve: { type: "boolean", summary: "approve this commit" },
    resolve: { type: "string", value: "THREAD", multiple: true, summary: "resolve a thread" },
    head: { type: "string", value: "COMMIT", summary: "only if it is still at this commit" },
    author: { type: "string", value: "NAME", summary: "record it under this name" },
    "no-pager": NO_PAGER_OPTION,
    json: JSON_OPTION,
  },
  examples: [
    "ao review my-app-fix-login",
    'ao review my-app-fix-login --request-changes "Cover the empty password" --comment "src/login.ts:12:may be null"',
    'ao review "#3" --approve "Nice and small"',
  ],
  details:
    "Without options it prints the pull request with its checks, reviews and diff. Comments and requested changes go to the agent.\n" +
    "A newer commit needs a new approval.",
  async run({ args: [ref = "", text], options }) {
    const client = connect();
    const review = toReview(text, options);
    if (review?.verdict === "approve") refuseAgent("approve");
    if (options.resolve !== undefined) refuseAgent("resolve threads");
    const pull = await findPullRequest(client, ref);
    if (review === null && options.resolve === undefined) return show(client, pull, options);
    let after = pull;
    for (const thread of options.resolve ?? []) after = await resolveThread(client, pull, thread);
    const call = "POST /api/pull-requests/:project/:number/review";
    if (review !== null) after = await client.call(call, { params: pathOf(pull), input: review });
    if (options.json === true) printJson(after);
    else print(describe(after, review, options.resolve?.length ?? 0));
  },
});

interface Written {
  readonly "request-changes"?: string | undefined;
  readonly comment?: readonly string[] | undefined;
  readonly approve?: boolean | undefined;
  readonly head?: string | undefined;
  readonly author?: string | undefined;
}

/** The review from the options; null: no option, so the pull request is only shown. */
export function toReview(text: string | undefined, options: Written): ReviewBody | null {
  const asked = options["request-changes"];
  const comments = (options.comment ?? []).map(parseComment);
  if (asked !== undefined && options.approve === true) {
    throw misuse("--approve and --request-changes together", "Give one of them.");
  }
  if (asked !== undefined && text !== undefined) {
    throw misuse("two texts", "Quote the text of --request-changes as one.");
  }
  const body = (asked ?? text ?? "").trim();
  if (asked === undefined && options.approve !== true && body === "" && comments.length === 0) return null;
  if (asked !== undefined && body === "" && comments.length === 0) {
    throw misuse("--request-changes needs a text", 'ao review PR --request-changes "What should change"');
  }
  return {
    verdict: asked !== undefined ? "request-changes" : options.approve === true ? "approve" : "comment",
    ...(body === "" ? {} : { body }),
    ...(comments.length === 0 ? {} : { comments }),
    ...(options.head === undefined ? {} : { head: options.head }),
    ...(options.author === undefined ? {} : { author: options.author }),
  };
}

/** Resolves a thread; a prefix of its id is enough. */
export function resolveThread(
  client: Client,
  pull: PullRequestDetailView,
  written: string,
): Promise<PullRequestDetailView> {
  const params = { ...pathOf(pull), thread: findThread(pull, written) };
  return client.call("POST /api/pull-requests/:project/:number/threads/:thread/resolve", { params, input: {} });
}

/** The id of the matching thread; the daemon rejects what matches nothing. */
export function findThread(pull: Pick<PullRequestDetailView, "threads">, written: string): string {
  if (pull.threads.some(({ id }) => id === written)) return written;
  const near = pull.threads.filter(({ id }) => id.startsWith(written));
  return near.length === 1 && near[0] !== undefined ? near[0].id : written;
}

async function show(
  client: Client,
  pull: PullRequestDetailView,
  options: { readonly json?: boolean | undefined; readonly "no-pager"?: boolean | undefined },
): Promise<void> {
  const { diff } = await client.call("GET /api/pull-requests/:project/:number/diff", { params: pathOf(pull) });
  if (options.json === true) return printJson({ ...pull, diff });
  const paint = style(process.stdout);
  const text = `${renderPullRequest(pull, paint).join("\n")}\n\n`;
  if (process.stdout.isTTY) await page(text + colorDiff(diff, paint), options["no-pager"]);
  else write(process.stdout, text + diff);
}

const DID = { approve: "approved", "request-changes": "requested changes on", comment: "commented on" } as const;

function describe(pull: PullRequestDetailView, review: ReviewBody | null, resolved: number): string {
  const lines = [
    ...(resolved === 0 ? [] : [`resolved ${resolved === 1 ? "1 thread" : `${resolved} threads`} of #${pull.number}`]),
    ...(review === null ? [] : [`${DID[review.verdict]} #${pull.number} (${shortCommit(pull.head)})`]),
  ];
  return lines.join("\n");
}
