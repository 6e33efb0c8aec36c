import type { UsedBudget } from "../cost/budget.ts";
import { formatMoney } from "../cost/format.ts";
import { dayOf } from "../cost/usage.ts";
import type { ProjectPolicy } from "../policy.ts";
import { describeAsked } from "../question.ts";
import type { DetectedProblem, DetectedProblems, ProblemKey } from "../reaction/detected-problem.ts";
import { ruleFor } from "../reaction/rule-for.ts";
import { fenceFiles, quote, type Reader, type Variables } from "../reaction/template.ts";
import { describeUncommitted } from "./branch.ts";
import { collisionProblems, type SeenCollision } from "./collision-problems.ts";
import { describeRefused } from "./refused.ts";
import { isPending, type SessionState } from "./state.ts";
import { deriveStatus } from "./status.ts";

/** The summary of a turn that a person ended early. */
const INTERRUPTED = "interrupted";

/** What detecting a session's problems depends on besides the session itself. */
export interface SessionLook {
  /** Is there a pull request for its branch's commits? */
  readonly hasChange: boolean;
  readonly watchedSince: number;
  readonly paused: boolean;
  /** Budget limits that are reached. */
  readonly used?: readonly UsedBudget[];
  /** Whose work its own conflicts with; absent: no rule asks. */
  readonly collisions?: readonly SeenCollision[];
}

/** What is wrong with an agent: it waits for a person, is gone, does nothing, or is silent. */
export function detectSessionProblems(
  session: SessionState,
  policy: ProjectPolicy,
  facts: SessionLook,
  now: number,
): DetectedProblems & { readonly wakeAt: number | null } {
  const money = (facts.used ?? []).map((used) => overBudget(session, used, now));
  if (session.phase !== "open") {
    // For a queued session, nothing else would explain why it waits.
    return { open: session.phase === "queued" ? money : [], isUndetermined: () => false, wakeAt: null };
  }
  const quiet = findQuiet(session, policy, facts);
  const isDue = quiet !== null && quiet.dueAt <= now;
  return {
    open: [
      ...troubles(session, facts.paused),
      ...forgottenWork(session),
      ...unopened(session),
      ...refusedBySandbox(session),
      ...money,
      ...collisionProblems(session, facts.collisions ?? []),
      ...(isDue ? [quietProblem(session, quiet, now)] : []),
    ],
    isUndetermined: (id) => isUndetermined(session, facts, id, quiet),
    wakeAt: quiet !== null && !isDue ? quiet.dueAt : null,
  };
}

function troubles(session: SessionState, paused: boolean): readonly DetectedProblem[] {
  const { question, activity } = session;
  if (question !== null) {
    if (question.answeredBy !== null) return [];
    return [problemOf(session, "agent-needs-input", question.id, describeAsked(question))];
  }
  const shown = deriveStatus(session, { paused });
  const evidence = shown.evidence.slice(0, 200);
  if (shown.status === "needs-input") {
    return [problemOf(session, "agent-needs-input", `waits since ${activity.at}`, `waits: ${evidence}`)];
  }
  if (shown.status === "rate-limited") {
    return [problemOf(session, "rate-limited", `since ${activity.at}`, `rate limited: ${evidence}`)];
  }
  // A failed turn is not restarted automatically.
  const isOver = shown.state === "error" && (shown.status === "exited" || shown.status === "errored");
  return isOver ? [problemOf(session, "agent-exited", `run ${session.run.n}`, evidence)] : [];
}

// A turn ended with new changes and no commit. An agent that asks something, was interrupted, or has a person at its
// terminal is left alone.
function forgottenWork(session: SessionState): readonly DetectedProblem[] {
  const { branchSeen, turns, summary, activity, messages, input, question, turn } = session;
  const changes = branchSeen?.uncommitted ?? null;
  if (session.role === "reviewer" || changes === null || branchSeen?.isForgotten !== true || branchSeen.turn !== turns)
    return [];
  const isAsking = question !== null || /\?\s*$/.test(summary ?? "");
  if (isAsking || summary === INTERRUPTED || session.movedFrom != null) return [];
  if (activity.state !== "idle" || turn !== null || messages.some((message) => isPending(message, input))) return [];
  const more = changes.count - changes.names.length;
  const files = [...changes.names, ...(more > 0 ? [`(and ${more} more)`] : [])];
  const text = describeUncommitted(changes);
  const found = problemOf(session, "uncommitted", changes.tree, text);
  const variables = (reader: Reader): Variables => {
    const { minutes: _, ...known } = found.variables(reader);
    return { ...known, count: text, files: fenceFiles("files not committed", files, reader) };
  };
  return [{ ...found, variables }];
}

// The forge rejected a pull request, or could not be reached; it is retried, and a person can see why.
function unopened(session: SessionState): readonly DetectedProblem[] {
  const { opening, branchSeen } = session;
  if (opening?.reason == null || opening.head !== branchSeen?.head) return [];
  return [
    problemOf(
      session,
      "pull-request-failed",
      opening.reason.slice(0, 200),
      `pull request not opened: ${opening.reason}`,
    ),
  ];
}

// The first of each kind: the setting that it names is where the others are allowed, too.
function refusedBySandbox(session: SessionState): readonly DetectedProblem[] {
  const { refusedHosts: [host] = [], refusedPaths: [path] = [] } = session;
  const found = [
    ...(host === undefined ? [] : [{ kind: "host", what: host } as const]),
    ...(path === undefined ? [] : [{ kind: "path", what: path } as const]),
  ];
  return found.map(({ kind, what }) => ({
    ...problemOf(session, "sandbox-refused", what, describeRefused(session, kind, what)),
    id: `sandbox-refused:${kind}`,
  }));
}

// Raising a limit makes another occurrence, and so does the next day.
function overBudget(session: SessionState, { what, limit, spent }: UsedBudget, now: number): DetectedProblem {
  const day = what === "day" ? `.${dayOf(now)}` : "";
  const text = `spent ${dollars(spent)} of ${dollars(limit)} ${PERIODS[what]}`;
  const found = problemOf(session, "budget-exceeded", `${limit}${day}`, text);
  return { ...found, id: `budget-exceeded:${what}` };
}

function dollars(costUsd: number): string {
  return formatMoney({ costUsd, estimatedUsd: 0, unpricedTokens: 0 });
}

const PERIODS = { session: "for this session", task: "for this task", day: "for today" } as const;

interface Quiet {
  readonly key: "agent-stuck" | "agent-idle";
  /** When it last gave a sign of life, or last got a message. */
  readonly since: number;
  readonly dueAt: number;
}

// Quiet time counts only while the daemon was watching, and from the last message to the agent.
function findQuiet(session: SessionState, policy: ProjectPolicy, facts: SessionLook): Quiet | null {
  if (facts.paused || session.question !== null || session.workspace.state !== "ready") return null;
  const isWaiting = isIdle(session) && !facts.hasChange && session.problems["uncommitted"] === undefined;
  const key = isBusy(session) ? "agent-stuck" : isWaiting ? "agent-idle" : null;
  const threshold = key === null ? null : ruleFor(policy, key).thresholdMs;
  if (key === null || threshold === null) return null;
  const said = key === "agent-idle" ? session.messages.map(({ at }) => at) : [session.problems[key]?.last?.at ?? 0];
  const since = Math.max(session.activity.at, ...said);
  return { key, since, dueAt: Math.max(since, facts.watchedSince) + threshold };
}

function isBusy(session: SessionState): boolean {
  return session.run.state === "alive" && session.activity.state === "working";
}

// Roles other than workers naturally wait for work.
function isIdle(session: SessionState): boolean {
  return session.role === "worker" && session.activity.state === "idle" && session.turns > 0;
}

// Nothing is resolved just because nobody was watching, everything is paused, or the agent only received its message.
function isUndetermined(session: SessionState, facts: SessionLook, id: string, quiet: Quiet | null): boolean {
  const problem = session.problems[id];
  if (problem === undefined) return false;
  const { last } = problem;
  const isSilent = session.activity.at < Math.max(problem.since, last?.at ?? 0);
  switch (id) {
    case "agent-exited":
      return facts.paused;
    case "agent-stuck": {
      const isReceipt = last !== null && session.turn?.messageId === last.messageId;
      const hasOnlyConfirmed = isReceipt && session.turn?.at === session.activity.at;
      return isBusy(session) && (facts.paused || isSilent || hasOnlyConfirmed);
    }
    case "agent-idle":
      if (facts.hasChange) return false;
      // It continued after its message, and has not committed anything since.
      if (last !== null && last.head === (session.branchSeen?.head ?? "")) return true;
      return isIdle(session) && isSilent && (facts.paused || quiet?.key === id);
    case "uncommitted":
      // Gone only when it is committed or undone; meanwhile the agent may be working on it.
      return session.branchSeen?.isForgotten === true;
    default:
      return false;
  }
}

function quietProblem(session: SessionState, quiet: Quiet, now: number): DetectedProblem {
  const minutes = Math.max(1, Math.round((now - quiet.since) / 60_000));
  const text = quiet.key === "agent-stuck" ? "no signal from its agent" : "its agent is idle without a pull request";
  return problemOf(session, quiet.key, `since ${quiet.since}`, text, minutes);
}

function problemOf(
  session: SessionState,
  key: ProblemKey,
  occurrence: string,
  text: string,
  minutes = 0,
): DetectedProblem {
  return {
    id: key,
    key,
    occurrence,
    text,
    variables: (reader) => ({
      session: session.id,
      title: quote("title", session.title, reader),
      branch: session.branch,
      minutes: String(minutes),
    }),
  };
}
