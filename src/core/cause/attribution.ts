/**
 * Whose failure a red check is. branch: the pull request's own, so its agent gets a message. base: the base fails in the same way.
 * optional: no merge needs the check. flaky: it failed and passed on the same commit.
 */
export const FAILURE_CAUSES = ["branch", "base", "optional", "flaky"] as const;

export type FailureCause = (typeof FAILURE_CAUSES)[number];

/** What was found out about a red check. */
export interface Attribution {
  readonly cause: FailureCause;
  /** The commit of the base that it was compared with; null: not compared, or the state of the base is unknown. */
  readonly base: string | null;
  /** The base failed as well at first, and does not any more: the branch needs what fixed it. */
  readonly isFixedOnBase?: true;
}

/** Failed attempts of a check on the same commit, before the newest one. */
export interface EarlierFailures {
  readonly count: number;
  /** How the newest of them ended. */
  readonly state: "failed" | "timed-out";
  /** The forge refused to run it again. */
  readonly isRefused?: true;
  /** Tests that failed in any of them, as far as its log tells. */
  readonly tests: readonly string[];
}
