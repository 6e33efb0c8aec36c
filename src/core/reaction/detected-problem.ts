import type { StoredText } from "../text.ts";
import type { Reader, Variables } from "./template.ts";

/** Kinds of problems of a change, by the reaction that handles them. */
export const CHANGE_PROBLEMS = [
  "ci-failed",
  "changes-requested",
  "review-commented",
  "bot-commented",
  "untrusted-comment",
  "merge-conflict",
  "check-setup",
  "approved-and-green",
  "merge-waits",
  "merge-failed",
  "label-added",
  "push-failed",
  "push-held",
] as const;

/** Kinds of problems of a session. */
export const SESSION_PROBLEMS = [
  "rate-limited",
  "agent-needs-input",
  "agent-exited",
  "agent-stuck",
  "uncommitted",
  "pull-request-failed",
  "agent-idle",
  "budget-exceeded",
  "sandbox-refused",
  "collision",
  "main-moved",
] as const;

export type ProblemKey = (typeof CHANGE_PROBLEMS)[number] | (typeof SESSION_PROBLEMS)[number];

/** A problem as the current state shows it. */
export interface DetectedProblem {
  readonly id: string;
  /** One of those above, or the key of an event. */
  readonly key: ProblemKey | (string & {});
  readonly occurrence: string;
  readonly text: string;
  /** Who said what it is about, if that person is not trusted; absent: nobody like that. */
  readonly from?: string;
  /** The variables of its message. */
  readonly variables: (reader: Reader) => Variables;
  /** Its `comments`, if they need several messages; the first is in `variables` too. */
  readonly parts?: (reader: Reader) => readonly StoredText[];
}

/** Problems that certainly exist, and a test for those that may or may not: a pending check resolves none. */
export interface DetectedProblems {
  readonly open: readonly DetectedProblem[];
  readonly isUndetermined: (problemId: string) => boolean;
}
