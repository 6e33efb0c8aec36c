import { describe, expect, it } from "vitest";
import { aProblem, aRule } from "../../testing/change-builders.ts";
import type { ReactionRule } from "../policy.ts";
import { planReaction, REMIND_MS, type ReactionFacts } from "./plan-reaction.ts";
import type { Problem } from "./problem.ts";

const SINCE = 1000;
const MINUTES = 60_000;

function facts(some: Partial<ReactionFacts> = {}): ReactionFacts {
  return { isOpen: true, isTurnOver: false, isAgentIdle: false, obstacle: null, paused: false, applies: true, ...some };
}

/** A problem with this many messages, the last of them about this occurrence or an older one. */
function messaged(sent: number, about: "this" | "older" = "this", some: Partial<Problem> = {}): Problem {
  const occurrence = about === "this" ? "head1.f1" : "head0.f1";
  const last = { occurrence, messageId: `m-${sent}`, head: "head1", turns: sent, at: SINCE };
  return aProblem({ since: SINCE, sent, last, ...some });
}

interface Row {
  readonly fact: string;
  readonly problem: Problem;
  readonly rule?: Partial<ReactionRule>;
  readonly facts?: Partial<ReactionFacts>;
  readonly now?: number;
  readonly plan: object;
}

const fresh = aProblem({ since: SINCE });
const half = { kind: "duration", ms: 30 * MINUTES } as const;
const slow = { kind: "wait", until: SINCE + REMIND_MS };
const never = { kind: "wait", until: null };
const spent = (count: number): object => ({
  kind: "escalate",
  reason: `${count} message${count === 1 ? "" : "s"} did not help`,
  reminder: false,
});

const SENDING: readonly Row[] = [
  { fact: "the first occurrence is sent", problem: fresh, plan: { kind: "act", attempt: 1 } },
  { fact: "the same occurrence is not sent twice", problem: messaged(1), plan: slow },
  { fact: "a new occurrence is the next attempt", problem: messaged(1, "older"), plan: { kind: "act", attempt: 2 } },
  {
    fact: "a new occurrence waits while the agent works on the last message",
    problem: messaged(1, "older"),
    facts: { isTurnPending: true },
    plan: slow,
  },
  {
    fact: "a turn without a new commit uses the attempt up",
    problem: messaged(1),
    facts: { isTurnOver: true },
    plan: { kind: "act", attempt: 2 },
  },
  { fact: "an undetermined problem is not sent", problem: fresh, facts: { isOpen: false }, plan: never },
  { fact: "nothing is sent while paused", problem: fresh, facts: { paused: true }, plan: slow },
  {
    fact: "without an agent a person is notified at once",
    problem: fresh,
    facts: { obstacle: "no agent works on it any more" },
    plan: { kind: "escalate", reason: "no agent works on it any more", reminder: false },
  },
  {
    fact: "without an agent nobody is notified of an undetermined problem",
    problem: fresh,
    facts: { isOpen: false, obstacle: "gone" },
    plan: never,
  },
];

const BUDGET: readonly Row[] = [
  { fact: "retries: 2 means two messages in all", problem: messaged(2, "older"), plan: spent(2) },
  { fact: "the second one gets its time to help", problem: messaged(2), plan: slow },
  {
    fact: "retries: 0 sends nothing",
    problem: fresh,
    rule: { retries: 0 },
    plan: { kind: "escalate", reason: "no message is sent for it", reminder: false },
  },
  {
    fact: "retries: 1 means one message",
    problem: messaged(1),
    rule: { retries: 1 },
    facts: { isTurnOver: true },
    plan: spent(1),
  },
  {
    fact: "a message is still sent after the escalation, until the retries are used up",
    problem: messaged(1, "older", { escalations: 1, escalatedAt: SINCE }),
    plan: { kind: "act", attempt: 2 },
  },
];

const COUNT: readonly Row[] = [
  {
    fact: "escalateAfter: 1 escalates if the first did not help",
    problem: messaged(1, "older"),
    rule: { retries: 3, escalateAfter: { kind: "count", count: 1 } },
    plan: spent(1),
  },
  {
    fact: "escalateAfter: 2 does not escalate after the first",
    problem: messaged(1, "older"),
    rule: { retries: 3, escalateAfter: { kind: "count", count: 2 } },
    plan: { kind: "act", attempt: 2 },
  },
  {
    fact: "a count beyond the retries has no effect",
    problem: messaged(2, "older"),
    rule: { retries: 2, escalateAfter: { kind: "count", count: 9 } },
    plan: spent(2),
  },
];

const DURATION: readonly Row[] = [
  {
    fact: "the deadline is awaited",
    problem: messaged(1),
    rule: { escalateAfter: half },
    plan: { kind: "wait", until: SINCE + 30 * MINUTES },
  },
  {
    fact: "used-up retries escalate at once when the agent idles",
    problem: messaged(2),
    rule: { escalateAfter: half },
    facts: { isTurnOver: true, isAgentIdle: true },
    plan: spent(2),
  },
  {
    fact: "even if it came with a commit that did not help",
    problem: messaged(2, "older"),
    rule: { escalateAfter: half },
    facts: { isAgentIdle: true },
    plan: spent(2),
  },
  {
    fact: "not while the last message may have helped: the check of its commit is pending",
    problem: messaged(2),
    rule: { escalateAfter: half },
    facts: { isAgentIdle: true },
    plan: { kind: "wait", until: SINCE + 30 * MINUTES },
  },
  {
    fact: "a rule that sends nothing waits for its deadline",
    problem: fresh,
    rule: { retries: 0, escalateAfter: half },
    facts: { isAgentIdle: true },
    plan: { kind: "wait", until: SINCE + 30 * MINUTES },
  },
  {
    fact: "used-up retries wait for the deadline while the agent works",
    problem: messaged(2, "older"),
    rule: { escalateAfter: half },
    plan: { kind: "wait", until: SINCE + 30 * MINUTES },
  },
  {
    fact: "it fires at the deadline, though the last message is on its way",
    problem: messaged(1),
    rule: { escalateAfter: half },
    now: SINCE + 30 * MINUTES,
    plan: { kind: "escalate", reason: "still open after 30 min", reminder: false },
  },
  {
    fact: "it fires though the problem is undetermined at the moment",
    problem: messaged(1),
    rule: { escalateAfter: half },
    facts: { isOpen: false },
    now: SINCE + 31 * MINUTES,
    plan: { kind: "escalate", reason: "still open after 30 min", reminder: false },
  },
  {
    fact: "it is awaited though the problem is undetermined at the moment",
    problem: messaged(1),
    rule: { escalateAfter: half },
    facts: { isOpen: false },
    plan: { kind: "wait", until: SINCE + 30 * MINUTES },
  },
  {
    fact: "a deadline of two days is awaited for two days",
    problem: messaged(1),
    rule: { escalateAfter: { kind: "duration", ms: 2 * REMIND_MS } },
    now: SINCE + REMIND_MS + 1,
    plan: { kind: "wait", until: SINCE + 2 * REMIND_MS },
  },
];

const decides = { kind: "escalate", reason: "a person decides", reminder: false };
const PEOPLE: readonly Row[] = [
  { fact: "auto: false never sends", problem: fresh, rule: { auto: false }, plan: decides },
  { fact: "notify notifies a person at once", problem: fresh, rule: { action: "notify" }, plan: decides },
  {
    fact: "notify does not notify about what may be gone",
    problem: fresh,
    rule: { action: "notify" },
    facts: { isOpen: false },
    plan: never,
  },
  {
    fact: "without a deadline, a day without news is one",
    problem: messaged(1),
    now: SINCE + REMIND_MS,
    plan: { kind: "escalate", reason: "still open after a day without progress", reminder: false },
  },
];

const CONDITIONS: readonly Row[] = [
  {
    fact: "a rule whose condition cannot be evaluated does nothing and notifies a person at once, with the reason",
    problem: fresh,
    facts: { applies: false, undecided: "why" },
    plan: { kind: "escalate", reason: "why", reminder: false, explains: true },
  },
  {
    fact: "the same goes for a rule about an event",
    problem: fresh,
    facts: { applies: false, undecided: "why", isNews: true },
    plan: { kind: "escalate", reason: "why", reminder: false, explains: true },
  },
  {
    fact: "a condition that cannot be evaluated is not reported for a problem that may be gone",
    problem: fresh,
    facts: { applies: false, undecided: "why", isOpen: false },
    plan: never,
  },
  { fact: "a rule whose condition is not met sends nothing", problem: fresh, facts: { applies: false }, plan: slow },
  {
    fact: "a rule whose condition is not met notifies nobody",
    problem: fresh,
    rule: { action: "notify" },
    facts: { applies: false },
    plan: slow,
  },
  {
    fact: "a problem that no rule applies to is not left forever",
    problem: fresh,
    facts: { applies: false },
    now: SINCE + REMIND_MS,
    plan: { kind: "escalate", reason: "the condition of its rule is not met", reminder: false },
  },
];

const NEWS: readonly Row[] = [
  { fact: "news is sent", problem: fresh, facts: { isNews: true }, plan: { kind: "act", attempt: 1 } },
  {
    fact: "news is sent once, whatever came of it, and nobody is notified",
    problem: messaged(1),
    facts: { isNews: true, isTurnOver: true, isAgentIdle: true },
    now: SINCE + REMIND_MS,
    plan: never,
  },
  {
    fact: "news that a rule does not want is ignored",
    problem: fresh,
    facts: { isNews: true, applies: false },
    plan: never,
  },
  { fact: "news waits while paused", problem: fresh, facts: { isNews: true, paused: true }, plan: never },
  {
    fact: "news can be for a person",
    problem: fresh,
    rule: { action: "notify" },
    facts: { isNews: true },
    plan: decides,
  },
  {
    fact: "a person is not reminded of news",
    problem: aProblem({ since: SINCE, escalations: 1, escalatedAt: SINCE }),
    rule: { action: "notify" },
    facts: { isNews: true },
    now: SINCE + REMIND_MS,
    plan: never,
  },
];

const escalatedOnce = { escalations: 1, escalatedAt: SINCE } as const;
const REMINDERS: readonly Row[] = [
  { fact: "a notified person is reminded a day later", problem: messaged(2, "older", escalatedOnce), plan: slow },
  {
    fact: "after a day",
    problem: messaged(2, "older", escalatedOnce),
    now: SINCE + REMIND_MS,
    plan: { kind: "escalate", reason: "it is still open", reminder: true },
  },
  {
    fact: "not about what may be gone, and without another check at a time that has passed",
    problem: messaged(2, "older", escalatedOnce),
    facts: { isOpen: false },
    now: SINCE + REMIND_MS,
    plan: never,
  },
  {
    fact: "not once it was dismissed",
    problem: messaged(2, "older", { ...escalatedOnce, acknowledged: true }),
    now: SINCE + 9 * REMIND_MS,
    plan: never,
  },
];

describe.each([
  ["messages", SENDING],
  ["the budget", BUDGET],
  ["escalateAfter as a count", COUNT],
  ["escalateAfter as a duration", DURATION],
  ["people", PEOPLE],
  ["conditions", CONDITIONS],
  ["news", NEWS],
  ["reminders", REMINDERS],
] as const)("%s", (_, rows) => {
  it.each(rows)("$fact", ({ problem, rule, facts: some, now, plan }) => {
    expect(planReaction(problem, aRule(rule), facts(some), now ?? SINCE + 1)).toEqual(plan);
  });
});
