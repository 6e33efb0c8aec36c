import type { NoticePriority } from "../notice/notice.ts";
import type { ReactionAction } from "../policy.ts";

/** Actions other than messages, notifications and merges. */
export type TakenAction = Exclude<ReactionAction, "send-to-agent" | "notify" | "merge">;

/** Something wrong, and what was done about it so far. */
export interface Problem {
  /** Kind, and the check or review it is about: `ci-failed:unit`. */
  readonly id: string;
  /** The reaction that handles it. */
  readonly key: string;
  /** One occurrence of it: the commit and the failure, the review, the question. `ao` acts on each once. */
  readonly occurrence: string;
  /** One sentence. */
  readonly text: string;
  /** For an event that a rule is about: its fields, as texts. */
  readonly fields?: Readonly<Record<string, string>>;
  /** For such an event: why `ao` cannot evaluate the condition of the rule, so that a person decides. */
  readonly undecided?: string;
  readonly since: number;
  /** Messages sent because of it, or other actions taken. */
  readonly sent: number;
  readonly last: {
    readonly occurrence: string;
    /** Empty if it was not a message. */
    readonly messageId: string;
    /** The messages before that one, if it took several. */
    readonly earlierIds?: readonly string[];
    /** Absent: a message to the agent. */
    readonly action?: TakenAction;
    /** The commit at that time; empty if there is none. */
    readonly head: string;
    /** Turns that the agent had ended before. */
    readonly turns: number;
    readonly at: number;
  } | null;
  readonly escalations: number;
  readonly escalatedAt: number | null;
  /** The occurrence that was last escalated; absent in states of older versions. */
  readonly escalatedFor?: string;
  readonly acknowledged: boolean;
  /** A person was asked to approve the message after this many. */
  readonly askedAfter?: number;
  /** The message that a person passed on: about this occurrence, after this many others. */
  readonly passed?: { readonly occurrence: string; readonly after: number };
}

export type Problems = Readonly<Record<string, Problem>>;

/** The same events on sessions and changes. */
export type ProblemEvent =
  | {
      readonly type: "problem.seen";
      readonly id: string;
      readonly key: string;
      readonly occurrence: string;
      readonly text: string;
      readonly fields?: Readonly<Record<string, string>>;
      readonly undecided?: string;
    }
  | {
      readonly type: "reaction.taken";
      readonly problem: string;
      readonly occurrence: string;
      readonly attempt: number;
      readonly action: TakenAction;
      /** What was done, in a few words. */
      readonly detail: string;
      readonly head: string;
    }
  | {
      readonly type: "reaction.sent";
      readonly problem: string;
      readonly occurrence: string;
      readonly attempt: number;
      readonly messageId: string;
      /** The messages before that one, if it takes several. */
      readonly earlierIds?: readonly string[];
      readonly head: string;
      readonly turns: number;
    }
  | {
      readonly type: "reaction.withdrawn";
      readonly problem: string;
      readonly messageId: string;
      readonly reason: string;
    }
  | {
      readonly type: "problem.escalated";
      readonly id: string;
      readonly priority: NoticePriority;
      readonly reason: string;
      /** What was tried before. */
      readonly messages: number;
      readonly reminder: boolean;
      /** It asks for the approval of the next message. */
      readonly asks?: true;
    }
  | { readonly type: "problem.passed"; readonly id: string; readonly by: string }
  | { readonly type: "problem.acknowledged"; readonly id: string; readonly by: string }
  | { readonly type: "problem.gone"; readonly id: string; readonly reason: string };

/** Applies one event to a session or change with problems; an event that does not fit changes nothing. */
export function evolveProblems<T extends { readonly problems: Problems; readonly reactions: number }>(
  owner: T,
  event: ProblemEvent,
  at: number,
): T {
  const problems = apply(owner.problems, event, at);
  const isAct = event.type === "reaction.sent" || event.type === "reaction.taken";
  const reactions = isAct ? owner.reactions + 1 : owner.reactions;
  return problems === owner.problems ? owner : { ...owner, problems, reactions };
}

function apply(problems: Problems, event: ProblemEvent, at: number): Problems {
  if (event.type === "problem.seen") return seen(problems, event, at);
  if (event.type === "problem.gone") return without(problems, event.id);
  const id = "problem" in event ? event.problem : event.id;
  const known = problems[id];
  if (known === undefined) return problems;
  const next = changed(known, event, at);
  return next === known ? problems : { ...problems, [id]: next };
}

function seen(problems: Problems, event: Extract<ProblemEvent, { type: "problem.seen" }>, at: number): Problems {
  const { type: _, ...facts } = event;
  const known = problems[event.id];
  if (known !== undefined) {
    const { undecided: _before, ...rest } = known;
    return { ...problems, [event.id]: { ...rest, ...facts, acknowledged: false } };
  }
  return {
    ...problems,
    [event.id]: {
      ...facts,
      since: at,
      sent: 0,
      last: null,
      escalations: 0,
      escalatedAt: null,
      acknowledged: false,
    },
  };
}

type Change = Exclude<ProblemEvent, { readonly type: "problem.seen" | "problem.gone" }>;

function changed(problem: Problem, event: Change, at: number): Problem {
  switch (event.type) {
    case "reaction.sent": {
      const { occurrence, messageId, earlierIds, head, turns } = event;
      const ids = { messageId, ...(earlierIds === undefined ? {} : { earlierIds }) };
      return { ...problem, sent: problem.sent + 1, last: { occurrence, ...ids, head, turns, at } };
    }
    case "reaction.taken": {
      const { occurrence, action, head } = event;
      const last = { occurrence, action, messageId: "", head, turns: 0, at };
      return { ...problem, sent: problem.sent + 1, last };
    }
    case "reaction.withdrawn":
      return problem.last?.messageId === event.messageId
        ? { ...problem, sent: Math.max(0, problem.sent - 1), last: null }
        : problem;
    case "problem.escalated":
      return {
        ...problem,
        escalations: problem.escalations + 1,
        escalatedAt: at,
        escalatedFor: problem.occurrence,
        ...(event.asks === true ? { askedAfter: problem.sent, acknowledged: false } : {}),
      };
    case "problem.passed":
      return { ...problem, passed: { occurrence: problem.occurrence, after: problem.sent } };
    case "problem.acknowledged":
      return { ...problem, acknowledged: true };
  }
}

/** Did a person pass the next message on? */
export function isPassed({ passed, occurrence, sent }: Problem): boolean {
  return passed?.after === sent && passed.occurrence === occurrence;
}

/** Was a person asked about the next message, with no answer yet? */
export function isAsked(problem: Problem): boolean {
  const { askedAfter, sent, escalatedFor, occurrence } = problem;
  return askedAfter === sent && escalatedFor === occurrence && !isPassed(problem);
}

/** What was tried, such as `2 messages` or `1 re-run`. */
export function describeTries({ sent, last }: Problem): string {
  const noun = last?.action === undefined ? "message" : last.action === "rerun-ci" ? "re-run" : "attempt";
  return `${sent} ${noun}${sent === 1 ? "" : "s"}`;
}

function without(problems: Problems, id: string): Problems {
  if (problems[id] === undefined) return problems;
  const { [id]: _, ...rest } = problems;
  return rest;
}
