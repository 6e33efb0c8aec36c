import type { Variables } from "./template.ts";

/** Kinds of problems of a change, by the reaction that deals with them. */
export const CHANGE_PROBLEMS = [
  "ci-failed",
  "changes-requested",
  "review-commented",
  "merge-conflict",
  "check-setup",
  "approved-and-green",
  "merge-waits",
  "merge-failed",
  "label-added",
  "push-failed",
] as const;

/** Those that are not problems: something happened, and a rule wants to hear of it. People do not see them in lists. */
const NEWS: readonly string[] = ["label-added"];

/** Is this reaction about something that happened, with nothing to solve? */
export function isNews(key: string): boolean {
  return NEWS.includes(key);
}

/** Kinds of problems of a session. */
export const SESSION_PROBLEMS = [
  "rate-limited",
  "agent-needs-input",
  "agent-exited",
  "agent-stuck",
  "uncommitted",
  "pull-request-failed",
  "agent-idle",
] as const;

export type ProblemKey = (typeof CHANGE_PROBLEMS)[number] | (typeof SESSION_PROBLEMS)[number];

/** A problem as it shows in the state now. */
export interface DetectedProblem {
  readonly id: string;
  readonly key: ProblemKey;
  readonly occurrence: string;
  readonly text: string;
  /** What its message may say. */
  readonly variables: () => Variables;
}

/** Problems that are certainly there, and a test for those that may or may not be: a pending check resolves none. */
export interface DetectedProblems {
  readonly open: readonly DetectedProblem[];
  readonly isUndetermined: (problemId: string) => boolean;
}
