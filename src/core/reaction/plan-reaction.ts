import type { ReactionRule } from "../policy.ts";
import { isNewsDone } from "./news.ts";
import { describeTries, isAsked, isPassed, type Problem } from "./problem.ts";

/** An escalated problem that is still open is escalated again after this time. */
export const REMIND_MS = 24 * 60 * 60_000;

/** What is known about the problem and its agent now. */
export interface ReactionFacts {
  /** Does the problem certainly exist now? A pending check is undetermined. */
  readonly isOpen: boolean;
  /** The agent has ended its turn after the last message, without a result. */
  readonly isTurnOver: boolean;
  /** The agent still works on the last message about a failure of its commits: what it commits meanwhile uses no attempt. */
  readonly isTurnPending?: boolean;
  /** The agent is done with the last message and has nothing else to do. */
  readonly isAgentIdle: boolean;
  /** Why its action cannot be taken, for example because no agent works on it any more; null: it can. */
  readonly obstacle: string | null;
  /** Nothing is sent while paused. */
  readonly paused: boolean;
  /** The rule has no condition, or its condition is true. */
  readonly applies: boolean;
  /** Why `ao` cannot evaluate the condition: a person is notified, and nothing is done. Absent or null: it can. */
  readonly undecided?: string | null;
  /** Something that happened rather than something to solve: it is acted on once, and nobody is reminded. */
  readonly isNews?: boolean;
}

export type ReactionPlan =
  | { readonly kind: "act"; readonly attempt: number }
  /** asks: the next message waits for a person's approval. explains: the reason is part of what the person is told. */
  | {
      readonly kind: "escalate";
      readonly reason: string;
      readonly reminder: boolean;
      readonly asks?: true;
      readonly explains?: true;
    }
  | { readonly kind: "wait"; readonly until: number | null };

/** What a rule wants done about a problem now. The budget is in the problem, so it survives every restart. */
export function planReaction(problem: Problem, rule: ReactionRule, facts: ReactionFacts, now: number): ReactionPlan {
  if (facts.isNews === true) return planNews(problem, rule, facts);
  if (isToBeAsked(problem, rule, facts)) return ASK;
  const escalation = whyEscalate(problem, rule, facts, now);
  if (problem.escalatedAt === null && escalation !== null) {
    return { kind: "escalate", reason: escalation, reminder: false, ...explained(facts) };
  }
  if (mayAct(problem, rule, facts)) return { kind: "act", attempt: problem.sent + 1 };
  if (problem.escalatedAt === null) return { kind: "wait", until: deadlineOf(problem, rule, facts) };
  if (problem.acknowledged) return { kind: "wait", until: null };
  const remindAt = problem.escalatedAt + REMIND_MS;
  if (now < remindAt) return { kind: "wait", until: remindAt };
  // Nobody is reminded of what may be gone; once that is known, it is evaluated again.
  return facts.isOpen
    ? { kind: "escalate", reason: "it is still open", reminder: true }
    : { kind: "wait", until: null };
}

function explained({ undecided }: ReactionFacts): { readonly explains?: true } {
  return undecided == null ? {} : { explains: true };
}

const ASK: ReactionPlan = {
  kind: "escalate",
  reason: "the next message needs your approval",
  reminder: false,
  asks: true,
};

/** Does the next message about a problem wait for a person's approval? */
export function isWaitingForApproval(problem: Problem, rule: ReactionRule): boolean {
  return needsApproval(problem, rule) && !isPassed(problem);
}

// Beyond this number a person decides about each message, so the retries, which limit what happens without a person, do
// not apply.
function needsApproval({ sent }: Problem, { requireApprovalAfter = null, action, auto }: ReactionRule): boolean {
  return auto && action === "send-to-agent" && requireApprovalAfter !== null && sent >= requireApprovalAfter;
}

function isToBeAsked(problem: Problem, rule: ReactionRule, facts: ReactionFacts): boolean {
  if (!isWaitingForApproval(problem, rule) || isAsked(problem)) return false;
  return facts.isOpen && facts.applies && facts.obstacle === null && didNotHelp(problem, facts);
}

function planNews(problem: Problem, rule: ReactionRule, facts: ReactionFacts): ReactionPlan {
  // A message that a person passed on is sent although the problem was escalated.
  const isReleased = isPassed(problem) && problem.last?.occurrence !== problem.occurrence;
  if ((isNewsDone(problem) && !isReleased) || !facts.isOpen) return { kind: "wait", until: null };
  if (facts.undecided != null && !isNewsDone(problem)) {
    return { kind: "escalate", reason: facts.undecided, reminder: false, ...explained(facts) };
  }
  if (!facts.applies) return { kind: "wait", until: null };
  if (isToBeAsked(problem, rule, facts)) return ASK;
  if (!isActing(rule)) return { kind: "escalate", reason: "a person decides", reminder: false };
  // A person passed it on, so they know of it; it is sent once nothing is in the way.
  if (facts.obstacle !== null && isNewsDone(problem)) return { kind: "wait", until: null };
  if (facts.obstacle !== null) return { kind: "escalate", reason: facts.obstacle, reminder: false };
  // A rule may be about the agent's own doing; it must not be messaged forever.
  const isAllowed = isReleased || problem.sent < rule.retries;
  if (!isAllowed) return { kind: "escalate", reason: spent(problem), reminder: false };
  return facts.paused ? { kind: "wait", until: null } : { kind: "act", attempt: problem.sent + 1 };
}

/** How many messages an agent may get about a problem, and when it is escalated at the latest. */
export interface Outlook {
  /** null: no agent is messaged. */
  readonly allowed: number | null;
  /** null: already escalated, or escalated at once. */
  readonly escalatesAt: number | null;
}

/** The remaining steps of a rule for a problem. */
export function outlookOf(problem: Problem, rule: ReactionRule): Outlook {
  if (!isActing(rule)) return { allowed: null, escalatesAt: null };
  const { escalateAfter, retries } = rule;
  const allowed = escalateAfter?.kind === "count" ? Math.min(retries, escalateAfter.count) : retries;
  if (problem.escalatedAt !== null) return { allowed, escalatesAt: null };
  const deadline = escalateAfter?.kind === "duration" ? problem.since + escalateAfter.ms : slowDeadline(problem);
  return { allowed, escalatesAt: deadline };
}

function isActing(rule: ReactionRule): boolean {
  return rule.auto && rule.action !== "notify" && rule.action !== "merge";
}

function mayAct(problem: Problem, rule: ReactionRule, facts: ReactionFacts): boolean {
  if (!isActing(rule) || !facts.applies || !facts.isOpen || facts.paused || facts.obstacle !== null) return false;
  const isAllowed = needsApproval(problem, rule) ? isPassed(problem) : problem.sent < rule.retries;
  return isAllowed && didNotHelp(problem, facts);
}

// There was no message yet, the last one was about another occurrence, or its turn ended without effect.
function didNotHelp({ last, occurrence }: Problem, facts: ReactionFacts): boolean {
  if (last === null || facts.isTurnOver) return true;
  return facts.isOpen && facts.isTurnPending !== true && last.occurrence !== occurrence;
}

function whyEscalate(problem: Problem, rule: ReactionRule, facts: ReactionFacts, now: number): string | null {
  if (!facts.applies || facts.undecided != null) return whyUnmet(problem, facts, now);
  if (!isActing(rule)) return facts.isOpen ? "a person decides" : null;
  const { escalateAfter } = rule;
  if (escalateAfter?.kind === "duration" && now >= problem.since + escalateAfter.ms) {
    return `still open after ${describeDuration(escalateAfter.ms)}`;
  }
  if (!facts.isOpen) return null;
  if (facts.obstacle !== null) return facts.obstacle;
  if (escalateAfter?.kind !== "duration" && now >= slowDeadline(problem))
    return "still open after a day without progress";
  if (!didNotHelp(problem, facts)) return null;
  if (escalateAfter?.kind === "count" && problem.sent >= escalateAfter.count) return spent(problem);
  if (problem.sent < rule.retries) return null;
  // A working agent may still solve it before the deadline; one that idles after the last message will not.
  const isAwaited = escalateAfter?.kind === "duration" && (problem.sent === 0 || !facts.isAgentIdle);
  return isAwaited ? null : spent(problem);
}

function whyUnmet(problem: Problem, { undecided, isOpen }: ReactionFacts, now: number): string | null {
  if (!isOpen) return null;
  return undecided ?? (now >= slowDeadline(problem) ? "the condition of its rule is not met" : null);
}

function deadlineOf(problem: Problem, rule: ReactionRule, facts: ReactionFacts): number | null {
  if (!facts.applies) return facts.isOpen ? slowDeadline(problem) : null;
  if (!isActing(rule)) return null;
  if (rule.escalateAfter?.kind === "duration") return problem.since + rule.escalateAfter.ms;
  return facts.isOpen ? slowDeadline(problem) : null;
}

// An agent that never comes back must not hide a problem from people forever.
function slowDeadline(problem: Problem): number {
  return Math.max(problem.since, problem.last?.at ?? 0) + REMIND_MS;
}

function spent(problem: Problem): string {
  return problem.sent === 0 ? "no message is sent for it" : `${describeTries(problem)} did not help`;
}

function describeDuration(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return `${Math.round(ms / 1000)} s`;
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
