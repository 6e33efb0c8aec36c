import { shortCommit } from "../../core/hash.ts";
import type { ProblemOfView } from "../../protocol/views/problem.ts";
import type {
  CheckView,
  PullRequestDetailView,
  PullRequestView,
  ReviewView,
  ThreadView,
} from "../../protocol/views/pull-request.ts";
import { listProof } from "./proof-view.ts";
import { describeCheckState, describeChecks } from "./pull-request-short.ts";
import type { Style } from "./style.ts";
import { renderTable } from "./table.ts";
import { visible, visibleLine } from "./visible.ts";

const VERDICTS = { approve: "approved", "request-changes": "requested changes", comment: "commented" } as const;
const CALM = ["mergeable", "merged", "merging", "checks-running"];

/** Pull requests as a table: id, status, checks, session, title. */
export function renderPullRequests(
  pulls: readonly PullRequestView[],
  style: Style,
  columns: number | undefined,
): readonly string[] {
  const now = Date.now();
  const rows = pulls.map((pull) => [
    pull.on === undefined ? pull.key : `${pull.key} on ${pull.on}`,
    pull.status,
    describeChecks(pull.checks, now),
    pull.sessionId ?? "",
    pull.title,
  ]);
  return renderTable([["PR", "STATUS", "CHECKS", "SESSION", "TITLE"], ...rows], {
    columns,
    paint: (text, row, column) => {
      if (row === 0) return style.dim(text);
      return column === 1 ? paintPullStatus(style, text) : text;
    },
  });
}

/** One pull request for people: its status, its checks, the discussion, and what comes next. */
export function renderPullRequest(
  pull: PullRequestDetailView,
  style: Style,
  now: number = Date.now(),
): readonly string[] {
  const row = (name: string, value: string): string => `  ${style.dim(name.padEnd(9))} ${value}`;
  return [
    `${style.bold(pull.key)}  ${visibleLine(pull.title)}`,
    row("status", `${paintPullStatus(style, pull.status)}  ${visibleLine(pull.evidence)}`),
    row("branch", `${visibleLine(pull.branch)} into ${visibleLine(pull.base)} (${shortCommit(pull.head)})`),
    ...(pull.on === undefined ? [] : [row("stacked", `on ${pull.on}`)]),
    ...(pull.sessionId === null ? [] : [row("session", visibleLine(pull.sessionId))]),
    ...(pull.issue === null ? [] : [row("issue", visibleLine(pull.issue))]),
    ...pull.checks.map((check, index) =>
      row(index === 0 ? "checks" : "", describeCheck(check, { key: pull.key, style, now })),
    ),
    ...(pull.approvals.length === 0 ? [] : [row("approved", `by ${pull.approvals.map(visibleLine).join(", ")}`)]),
    ...(pull.labels.length === 0 ? [] : [row("labels", pull.labels.map(visibleLine).join(", "))]),
    ...(pull.mergeRequest === null ? [] : [row("merge", describeRequest(pull.mergeRequest))]),
    ...(pull.refusal === null ? [] : [row("merge", style.red(`failed: ${visibleLine(pull.refusal)}`))]),
    ...pull.blockers.map((text) => row("blocking", visibleLine(text))),
    ...pull.problems.map((problem) => row("problem", describeProblem(problem))),
    ...(pull.proof === undefined ? [] : listProof(pull.proof).map(([name, value]) => row(name, value))),
    ...(pull.body === null ? [] : ["", ...indent(pull.body, "  ")]),
    ...pull.reviews.flatMap((review) => renderReview(review, pull.threads, style)),
  ];
}

/** A problem on one line, with what was tried. */
export function describeProblem(problem: ProblemOfView): string {
  const sent = problem.attempts === 0 ? "" : `; ${problem.attempts} sent to the agent`;
  const suffix = problem.acknowledged ? "; dismissed" : problem.escalated ? "; needs you" : "";
  return `${visibleLine(problem.text)}${sent}${suffix}`;
}

/** The color of a pull request's status: what needs a person or its agent stands out. */
export function paintPullStatus(style: Style, status: string): string {
  if (CALM.includes(status)) return style.green(status);
  if (status.endsWith("failed") || status === "conflict") return style.red(status);
  return status === "closed" ? status : style.yellow(status);
}

/** A check on one line: its state, how long it took or has been running, and where its log is. */
export function describeCheck(
  check: CheckView,
  { key, style, now }: { readonly key: string; readonly style: Style; readonly now: number },
): string {
  const color =
    check.state === "passed" ? style.green : /failed|timed-out|unknown/.test(check.state) ? style.red : String;
  const took = check.tookMs === null ? "" : `  ${(check.tookMs / 1000).toFixed(1)}s`;
  const optional = check.required ? "" : "  (optional)";
  const sandboxed = check.sandboxed === true ? style.dim("  sandboxed") : "";
  const log = ["failed", "timed-out", "setup-failed"].includes(check.state)
    ? style.dim(`  ao pr show ${key} --log ${visibleLine(check.name)}`)
    : "";
  const progress = describeCheckState(check, now).slice("running: ".length);
  const running = check.state === "running" ? `  ${progress}` : "";
  return `${color(check.state.padEnd(8))} ${visibleLine(check.name)}${running}${took}${optional}${sandboxed}${log}`;
}

function describeRequest(request: NonNullable<PullRequestDetailView["mergeRequest"]>): string {
  const reason = request.reason === null ? "" : `; waiting: ${visibleLine(request.reason)}`;
  return `requested by ${visibleLine(request.by)} (${request.strategy})${reason}`;
}

function renderReview(review: ReviewView, threads: readonly ThreadView[], style: Style): readonly string[] {
  const head = `${visibleLine(review.author)} ${VERDICTS[review.verdict]}`;
  return [
    "",
    `${style.bold(head)} ${style.dim(`at ${shortCommit(review.head)}`)}`,
    ...(review.body === null ? [] : indent(review.body, "  ")),
    ...threads.filter(({ reviewId }) => reviewId === review.id).flatMap((thread) => renderThread(thread, style)),
  ];
}

function renderThread(thread: ThreadView, style: Style): readonly string[] {
  const place =
    thread.path === null ? "" : `${visibleLine(thread.path)}${thread.line === null ? "" : `:${thread.line}`}  `;
  const state = thread.resolvedBy === null ? "" : `, resolved by ${visibleLine(thread.resolvedBy)}`;
  return [
    `  ${style.cyan(place)}${style.dim(`thread ${thread.id}${state}`)}`,
    ...thread.comments.flatMap((comment) => {
      const [first = "", ...rest] = visible(comment.text).split("\n");
      const author = `${visibleLine(comment.author)}${comment.byAgent ? " (agent)" : ""}`;
      return [`    ${author}: ${first}`, ...rest.map((line) => `      ${line}`)];
    }),
  ];
}

function indent(text: string, by: string): readonly string[] {
  return visible(text)
    .trimEnd()
    .split("\n")
    .map((line) => `${by}${line}`.trimEnd());
}
