import { namesOf } from "../change/names.ts";
import { hasTrustedNames } from "../change/trust.ts";
import type { Emitted } from "../event.ts";
import type { NoticePriority } from "../notice/notice.ts";
import { withdrawNotices } from "../notice/withdraw.ts";
import type { ProjectPolicy, ReactionRule } from "../policy.ts";
import { isPending } from "../session/state.ts";
import { sessionStream } from "../stream.ts";
import { type Judgment, judgeCondition } from "./condition.ts";
import type { DetectedProblem, DetectedProblems } from "./detected-problem.ts";
import { eventOfKey } from "./event-keys.ts";
import { isNews, isNewsDone } from "./news.ts";
import { planReaction, type ReactionFacts, type ReactionPlan } from "./plan-reaction.ts";
import type { Problem, ProblemEvent } from "./problem.ts";
import type { ProblemOwner } from "./problem-owner.ts";
import { ruleFor } from "./rule-for.ts";
import { findObstacle, takeAction } from "./take-action.ts";
import { quote, quoteName, type Reader, type Variables } from "./template.ts";

/** Why a message that has not left yet is taken back. */
export const TAKEN_BACK: Readonly<Record<"changed" | "gone", string>> = {
  changed: "it has changed",
  gone: "it is gone",
};

/** The rules, and the time at which they are applied. */
export interface RulesNow {
  readonly policy: ProjectPolicy;
  readonly now: number;
}

/**
 * Compares the detected problems with the known ones, and takes the next step for each. One step at a time per problem.
 */
export function settleProblems(owner: ProblemOwner, detected: DetectedProblems, rules: RulesNow): readonly Emitted[] {
  const open = new Map([...detected.open, ...openNews(owner)].map((found) => [found.id, found]));
  const events: Emitted[] = [];
  for (const found of detected.open) {
    const known = owner.problems[found.id];
    if (known === undefined || known.occurrence !== found.occurrence) {
      const { id, key, occurrence, text } = found;
      events.push(...(known === undefined ? [] : takeBack(owner, known, TAKEN_BACK.changed)));
      events.push(on(owner, { type: "problem.seen", id, key, occurrence, text }));
    }
  }
  // A newly seen problem is acted on in the next round, when it is part of the state.
  let reactions = owner.reactions;
  for (const problem of Object.values(owner.problems)) {
    const found = open.get(problem.id);
    if (found === undefined && isGone(owner, detected, problem)) {
      events.push(
        ...takeBack(owner, problem, TAKEN_BACK.gone),
        ...withdrawNotices(owner.world, noticesOf(owner, problem)),
        on(owner, { type: "problem.gone", id: problem.id, reason: "" }),
      );
    } else if (found === undefined || found.occurrence === problem.occurrence) {
      const step = act(owner, { problem, found, n: reactions + 1 }, rules);
      if (step.some(({ event }) => event.type === "reaction.sent" || event.type === "reaction.taken")) reactions += 1;
      events.push(...step);
    }
  }
  return events;
}

// An event stays until something came of it; its budget stays as long as it can happen again.
function isGone(owner: ProblemOwner, detected: DetectedProblems, { id, key, last }: Problem): boolean {
  if (eventOfKey(key) === null) return !detected.isUndetermined(id);
  const { session } = owner;
  const isHeard = last === null || last.action !== undefined || session?.phase !== "open" || session.turns > last.turns;
  return owner.isOver && isHeard;
}

function openNews(owner: ProblemOwner): readonly DetectedProblem[] {
  return Object.values(owner.problems)
    .filter((problem) => eventOfKey(problem.key) !== null && !isNewsDone(problem))
    .map(({ id, key, occurrence, text, fields = {} }) => ({
      id,
      key,
      occurrence,
      text,
      variables: (reader) => describeNews(owner, fields, reader),
    }));
}

/** The next time at which something is due although nothing happens. */
export function nextDeadline(owner: ProblemOwner, detected: DetectedProblems, rules: RulesNow): number | null {
  const open = new Set([...detected.open, ...openNews(owner)].map(({ id }) => id));
  const times = Object.values(owner.problems).flatMap((problem) => {
    const plan = planFor(owner, { problem, isOpen: open.has(problem.id) }, rules);
    return plan.kind === "wait" && plan.until !== null ? [plan.until] : [];
  });
  return times.length === 0 ? null : Math.min(...times);
}

function planFor(
  owner: ProblemOwner,
  { problem, isOpen }: { readonly problem: Problem; readonly isOpen: boolean },
  { policy, now }: RulesNow,
): ReactionPlan {
  const rule = ruleFor(policy, problem.key);
  const { isMet, undecided } = judge(rule, owner, problem);
  const facts: ReactionFacts = {
    isOpen,
    isTurnOver: isOpen && isTurnOver(owner, problem),
    isAgentIdle: isOpen && isAgentIdle(owner, problem),
    isTurnPending: isTurnPending(owner, problem),
    obstacle: findObstacle(owner, problem, rule),
    paused: owner.paused,
    applies: isMet,
    undecided,
    isNews: isNews(problem.key),
  };
  return planReaction(problem, rule, facts, now);
}

function judge({ condition, action }: ReactionRule, { session, change }: ProblemOwner, problem: Problem): Judgment {
  const { key, text, sent, id, undecided = null } = problem;
  // An event's condition was evaluated when it happened.
  if (eventOfKey(key) !== null) return { isMet: undecided === null, undecided };
  const subject = id.startsWith(`${key}:`) ? id.slice(key.length + 1) : "";
  const judgment = judgeCondition(condition, { event: { key, text, subject, messages: sent }, session, change });
  // A merge condition keeps a pull request from being merged, but people still learn that it could be.
  return action === "merge" ? { ...judgment, isMet: true } : judgment;
}

// The agent got the message, is done with it, its branch was read again, and is still at the same commit.
function isTurnOver(owner: ProblemOwner, problem: Problem): boolean {
  // A check that is red after a re-run has had its chance.
  if (problem.last?.action !== undefined) return problem.last.action === "rerun-ci";
  return problem.last?.head === owner.head && isAgentIdle(owner, problem);
}

/** Problems that each commit of the agent may change. */
const OF_COMMITS: readonly string[] = ["ci-failed", "merge-conflict"];

function isTurnPending(owner: ProblemOwner, problem: Problem): boolean {
  const isMessage = problem.last !== null && problem.last.action === undefined;
  return isMessage && OF_COMMITS.includes(problem.key) && !isAgentIdle(owner, problem);
}

/** Is the agent done with the last message about a problem, its branch read since, and nothing else to do? */
export function isAgentIdle({ session }: ProblemOwner, { last }: Problem): boolean {
  if (last === null || last.action !== undefined || session === undefined) return false;
  const message = session.messages.find((candidate) => candidate.id === last.messageId);
  const isLost = message?.status === "failed" || message?.status === "unknown";
  // A turn that was over before the message came does not count.
  if (!isLost && session.turns <= last.turns) return false;
  if (session.turn !== null || session.activity.state === "working" || session.question !== null) return false;
  if (session.messages.some((other) => isPending(other, session.input))) return false;
  return session.turns > 0 && session.branchSeen?.turn === session.turns;
}

interface NextStep {
  readonly problem: Problem;
  /** undefined: whether it still exists is not known now. */
  readonly found: DetectedProblem | undefined;
  /** Which reaction of its owner it would be. */
  readonly n: number;
}

function act(owner: ProblemOwner, { problem, found, n }: NextStep, rules: RulesNow): readonly Emitted[] {
  const plan = planFor(owner, { problem, isOpen: found !== undefined }, rules);
  const rule = ruleFor(rules.policy, problem.key);
  if (plan.kind === "escalate") return escalate(owner, problem, { ...plan, rule });
  if (plan.kind !== "act" || found === undefined) return [];
  return takeAction(owner, { problem, found, rule, attempt: plan.attempt, n });
}

type Escalation = Extract<ReactionPlan, { kind: "escalate" }> & { readonly rule: ReactionRule };

function escalate(owner: ProblemOwner, problem: Problem, escalation: Escalation): readonly Emitted[] {
  const { rule, reason, reminder, asks, explains } = escalation;
  const priority: NoticePriority = rule.priority ?? "action";
  const isPlain = explains !== true && (rule.action === "notify" || problem.sent === 0);
  const title = `${owner.name}: ${problem.text}`;
  const sessionId = owner.session?.id ?? null;
  const isQuestion = problem.key === "agent-needs-input" && owner.session?.question != null;
  return [
    on(owner, {
      type: "problem.escalated",
      id: problem.id,
      priority,
      reason,
      messages: problem.sent,
      reminder,
      ...(asks === undefined ? {} : { asks }),
    }),
    {
      stream: "fleet",
      event: {
        type: "notice.raised",
        id: `${noticesOf(owner, problem)}${problem.escalations + 1}`,
        priority,
        key: problem.key,
        title: title.length <= 200 ? title : `${title.slice(0, 199)}…`,
        text: isPlain && !reminder ? owner.title : `${owner.title}: ${reason}`,
        projectId: owner.projectId,
        sessionId,
        act: actFor(owner, isQuestion),
      },
    },
  ];
}

// How the ids of all notices about a problem begin.
function noticesOf({ stream }: ProblemOwner, { id, since }: Problem): string {
  return `${stream}/${id}/${since}/`;
}

function actFor({ session, change, projectId }: ProblemOwner, isQuestion: boolean): string | null {
  if (session !== undefined) return `ao ${isQuestion ? "answer" : "status"} ${session.id}`;
  return change === undefined ? null : `ao pr show "#${change.number}" --project ${projectId}`;
}

// An unsent message about something that is no longer true is withdrawn, and costs no attempt.
function takeBack(owner: ProblemOwner, problem: Problem, reason: string): readonly Emitted[] {
  const { last } = problem;
  const { session } = owner;
  if (session === undefined || last === null) return [];
  const ids = [...(last.earlierIds ?? []), last.messageId];
  const queued = session.messages.filter(({ id, status }) => status === "queued" && ids.includes(id));
  // The last one leaves last: only an attempt of which all messages have left counts.
  if (!queued.some(({ id }) => id === last.messageId)) return [];
  return [
    ...queued.map(({ id }) => {
      return { stream: sessionStream(session.id), event: { type: "message.withdrawn", id, reason } } as const;
    }),
    on(owner, { type: "reaction.withdrawn", problem: problem.id, messageId: last.messageId, reason }),
  ];
}

function describeNews(owner: ProblemOwner, fields: Readonly<Record<string, string>>, reader: Reader): Variables {
  const { change, session, title, projectId: project } = owner;
  const isTrusted = hasTrustedNames(change ?? session ?? {});
  const told = Object.entries(fields).map(([name, value]) => [name, quoteName(name, value, { ...reader, isTrusted })]);
  const shared = { project, ...Object.fromEntries(told) };
  if (change !== undefined) return { ...namesOf(change, reader), ...shared };
  const named = { session: session?.id ?? "", branch: session?.branch ?? "" };
  return { title: quote("title", title, reader), ...named, ...shared };
}

function on(owner: ProblemOwner, event: ProblemEvent): Emitted {
  return { stream: owner.stream, event };
}
