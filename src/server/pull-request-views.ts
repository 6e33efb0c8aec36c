import { describeRefusal } from "../core/cause/find-refusal.ts";
import type { CheckProgress } from "../core/change/progress.ts";
import { approversOf } from "../core/change/review.ts";
import type { ChangeState, CheckRun, Thread } from "../core/change/state.ts";
import { deriveChangeStatus } from "../core/change/status.ts";
import { blockersOf, describeBlocker, describeBlockerNow, requiredOf, runsOnChanges } from "../core/merge/blockers.ts";
import { explainMerge } from "../core/merge/explain.ts";
import type { ProjectPolicy } from "../core/policy.ts";
import { isNews } from "../core/reaction/news.ts";
import { outlookOf } from "../core/reaction/plan-reaction.ts";
import type { Problem, Problems } from "../core/reaction/problem.ts";
import { ruleFor } from "../core/reaction/rule-for.ts";
import { countedLines } from "../core/session/branch.ts";
import { baseHeadOf } from "../core/stack/base.ts";
import { nameParent } from "../core/stack/parent.ts";
import type { StoredText } from "../core/text.ts";
import { isPaused, type World } from "../core/world.ts";
import type { ProblemOfView } from "../protocol/views/problem.ts";
import type {
  CheckView,
  PullRequestDetailView,
  PullRequestView,
  ReviewView,
  RuleView,
  ThreadView,
} from "../protocol/views/pull-request.ts";
import { toProofView } from "./proof-view.ts";
import { toTime } from "./time.ts";

/** Loads a text that an event may store by its hash. */
export type TextOf = (text: StoredText) => Promise<string>;

/** A pull request as lists show it. */
export function toPullRequestView(change: ChangeState, world: World): PullRequestView {
  const policy = policyOf(world, change);
  const session = change.sessionId === null ? undefined : world.session(change.sessionId);
  const now = deriveChangeStatus(world, change);
  const blockers = change.phase === "open" ? (blockersOf(world, change) ?? []) : [];
  return {
    key: change.key,
    projectId: change.projectId,
    number: change.number,
    sessionId: change.sessionId,
    issue: change.issue,
    title: change.title,
    branch: change.branch,
    base: change.base,
    ...(change.stackedOn === undefined ? {} : { on: nameParent(change.stackedOn) }),
    head: change.head,
    ...(change.url === undefined ? {} : { url: change.url }),
    phase: change.phase,
    status: now.status,
    evidence: now.evidence,
    checks: listChecks(change, policy, world),
    approvals: approversOf(change),
    labels: change.labels,
    lines: session === undefined ? null : countedLines(session, change.head),
    blockers: blockers.map((blocker) => describeBlockerNow(world, change, blocker)),
    mergeCommit: change.merged?.commit ?? null,
    openedAt: toTime(change.openedAt),
    updatedAt: toTime(change.updatedAt),
  };
}

/** A pull request with everything known about it, and every text in full. */
export async function toPullRequestDetail(
  change: ChangeState,
  world: World,
  textOf: TextOf,
): Promise<PullRequestDetailView> {
  const { mergeability, mergeRequest, refusal } = change;
  const logs = Object.values(change.checks).flatMap(({ name, log }) => (log === null ? [] : [{ name, log }]));
  const proof = toProofView(change, world);
  const read = await Promise.all(logs.map(async ({ name, log }) => [name, await textOf(log)] as const));
  return {
    ...toPullRequestView(change, world),
    body: change.body === null ? null : await textOf(change.body),
    reviews: await Promise.all(change.reviews.map((review) => toReviewView(review, textOf))),
    threads: await Promise.all(change.threads.map((thread) => toThreadView(thread, textOf))),
    problems: toProblemViews(change.problems, policyOf(world, change)),
    rules: listRules(change, world),
    mergeability: mergeability === null ? null : { kind: mergeability.kind, files: mergeability.files },
    mergeRequest:
      mergeRequest === null
        ? null
        : {
            by: mergeRequest.by,
            strategy: mergeRequest.strategy,
            reason: mergeRequest.reason,
            override: mergeRequest.override ?? null,
          },
    refusal: refusal === null || refusal.head !== change.head ? null : refusal.reason,
    ...(proof === null ? {} : { proof }),
    logs: Object.fromEntries(read),
  };
}

function listRules(change: ChangeState, world: World): readonly RuleView[] {
  const policy = policyOf(world, change);
  if (policy === null || change.phase !== "open") return [];
  const facts = { baseHead: baseHeadOf(change, world.project(change.projectId)), now: Date.now() };
  const isHeld = change.mergeRequest !== null && isPaused(world, change.projectId);
  const pause: RuleView = {
    kind: "pause",
    rule: "pause",
    verdict: "waiting",
    text: describeBlocker({ kind: "paused" }),
  };
  return [...explainMerge(change, policy, facts), ...(isHeld ? [pause] : [])];
}

function policyOf(world: World, { projectId }: ChangeState): ProjectPolicy | null {
  return world.project(projectId)?.policy ?? null;
}

/** Problems, oldest first. */
export function toProblemViews(problems: Problems, policy: ProjectPolicy | null): readonly ProblemOfView[] {
  return Object.values(problems)
    .filter(({ key, escalatedAt }) => !isNews(key) || escalatedAt !== null)
    .sort((a, b) => a.since - b.since)
    .map((problem) => toProblemView(problem, policy));
}

function toProblemView(problem: Problem, policy: ProjectPolicy | null): ProblemOfView {
  const { allowed, escalatesAt } =
    policy === null ? { allowed: null, escalatesAt: null } : outlookOf(problem, ruleFor(policy, problem.key));
  return {
    id: problem.id,
    key: problem.key,
    text: problem.text,
    attempts: problem.sent,
    attemptsAllowed: allowed,
    escalatesAt: escalatesAt === null ? null : toTime(escalatesAt),
    escalated: problem.escalatedAt !== null,
    acknowledged: problem.acknowledged,
    since: toTime(problem.since),
  };
}

// Checks that have not run yet are shown too, so that the list is complete; a check that is no longer configured does
// not apply to an open pull request.
function listChecks(change: ChangeState, policy: ProjectPolicy | null, world: World): readonly CheckView[] {
  const required = new Set(policy === null ? [] : requiredOf(change, policy));
  const isOpen = change.phase === "open" && policy !== null;
  const planned = isOpen ? Object.keys(policy.checks).filter((name) => isPlanned(policy, name)) : [];
  const waiting = planned.filter((name) => change.checks[name] === undefined).map((name) => notRun(name, change));
  const runs = Object.values(change.checks).filter(
    ({ name, ref }) => !isOpen || ref !== undefined || planned.includes(name),
  );
  return [...runs, ...waiting].map((run) => toCheckView(run, required, world.checkProgress(change.key, run.name)));
}

function isPlanned(policy: ProjectPolicy, name: string): boolean {
  const rule = policy.checks[name];
  return rule !== undefined && runsOnChanges(rule);
}

function notRun(name: string, change: ChangeState): CheckRun {
  const nothing = { code: null, log: null, fingerprint: "", tookMs: null };
  return { name, head: change.head, attempt: 1, state: "queued", ...nothing, at: change.updatedAt };
}

function toCheckView(run: CheckRun, required: ReadonlySet<string>, progress: CheckProgress | null): CheckView {
  const { name, state, head, attempt, code, tookMs } = run;
  const at = toTime(run.at);
  const now = { phase: progress?.phase ?? null, startedAt: state === "running" ? at : null };
  const sandbox = {
    ...(run.isSandboxed === true ? { sandboxed: true as const } : {}),
    ...(run.refused === undefined ? {} : { refused: describeRefusal(run.refused) }),
  };
  return { name, state, ...now, required: required.has(name), head, attempt, code, tookMs, ...sandbox, at };
}

async function toReviewView(review: ChangeState["reviews"][number], textOf: TextOf): Promise<ReviewView> {
  const { id, author, verdict, head } = review;
  return {
    id,
    author,
    verdict,
    head,
    body: review.body === null ? null : await textOf(review.body),
    at: toTime(review.at),
  };
}

async function toThreadView(thread: Thread, textOf: TextOf): Promise<ThreadView> {
  const { id, reviewId, path, line, resolvedBy } = thread;
  const comments = await Promise.all(
    thread.comments.map(async (comment) => ({
      id: comment.id,
      author: comment.author,
      byAgent: comment.byAgent,
      text: await textOf(comment.text),
      at: toTime(comment.at),
    })),
  );
  return { id, reviewId, path, line, resolvedBy, comments };
}
