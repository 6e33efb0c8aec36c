import { describeTries, type Problem } from "../reaction/problem.ts";
import type { Question } from "../session/state.ts";
import type { StreamId } from "../stream.ts";

/** What a person can do about a need; each client has its own words for it. */
export const ACTION_NAMES = [
  "accept-config",
  "answer",
  "approve",
  "attach",
  "commit",
  "configure",
  "dismiss",
  "interrupt",
  "log",
  "merge",
  "message",
  "open",
  "pass",
  "rerun",
  "restore",
  "review",
  "stop",
] as const;

export type ActionName = (typeof ACTION_NAMES)[number];

export interface NextAction {
  readonly action: ActionName;
  readonly sessionId: string | null;
  /** The key of the pull request, as `<project>/<number>`. */
  readonly pullRequest: string | null;
  /** The check whose log is meant, or that is re-run. */
  readonly check: string | null;
}

/** Something that waits for a person. */
export interface Need {
  readonly id: string;
  readonly kind: string;
  /** Without the title of the session or pull request. */
  readonly text: string;
  /** When it was first shown to a person. */
  readonly at: number;
  /** When the problem started. */
  readonly since: number;
  /** The most helpful one comes first. */
  readonly actions: readonly NextAction[];
  readonly question: Question | null;
  /** The problem behind it, which can be dismissed; null: it disappears once it is resolved. */
  readonly problem: { readonly stream: StreamId; readonly id: string } | null;
  /** How many messages the agent got about it; null: none is ever sent about it. */
  readonly attempts: number | null;
  readonly isDismissed: boolean;
  /** One occurrence of it: a snoozed need returns when this differs. */
  readonly occurrence: string;
}

/** The actions on a session or a pull request, by name. */
export function actionsOn(
  subject: { readonly sessionId: string | null; readonly pullRequest: string | null },
  names: readonly ActionName[],
  check: string | null = null,
): readonly NextAction[] {
  return names.map((action) => ({
    action,
    ...subject,
    check: action === "log" || action === "rerun" ? check : null,
  }));
}

/** What all needs based on a problem share. */
export function needOfProblem(
  problem: Problem,
  stream: StreamId,
): Omit<Need, "id" | "kind" | "text" | "actions" | "question"> {
  return {
    at: problem.escalatedAt ?? problem.since,
    since: problem.since,
    problem: { stream, id: problem.id },
    attempts: problem.sent,
    isDismissed: problem.acknowledged,
    occurrence: problem.occurrence,
  };
}

/** A problem with what was tried so far, so that nobody tries it again. */
export function describeTried(problem: Problem): string {
  if (problem.sent === 0) return problem.text;
  return `${problem.text}; ${describeTries(problem)} did not help`;
}
