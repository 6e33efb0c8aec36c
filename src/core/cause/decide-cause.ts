import type { FailureCause } from "./attribution.ts";

/**
 * The result of the same check on the newest commit of the base. same, different: it fails there too, in the same way or in
 * another. unknown: it could not run there, or its result is unclear.
 */
export type BaseResult = "passed" | "same" | "different" | "pending" | "unknown";

/** What is known about a red check. */
export interface FailureFacts {
  /** Does a merge need it? */
  readonly isRequired: boolean;
  readonly onBase: BaseResult;
  /** Failed attempts on this commit, this one included. */
  readonly failures: number;
  /** Its failing tests were seen to fail and pass on one commit before; without tests, the check was. */
  readonly isKnownFlake: boolean;
  /** How often it may run again before anybody hears of it. */
  readonly reruns: number;
  /** Can it run again? The forge may have refused. */
  readonly canRerun: boolean;
}

export type CauseStep =
  | { readonly kind: "attribute"; readonly cause: Exclude<FailureCause, "flaky"> }
  | { readonly kind: "rerun" }
  | { readonly kind: "wait" };

/** Re-runs before anybody hears of a failure, unless configured. */
export const RERUNS = 1;

/** The next step in finding out whose failure a red check is. The base and the re-run are asked at the same time. */
export function decideCause(facts: FailureFacts): CauseStep {
  if (!facts.isRequired) return { kind: "attribute", cause: "optional" };
  if (facts.onBase === "same") return { kind: "attribute", cause: "base" };
  // One more if it looks like a flake that is known.
  const reruns = facts.reruns > 0 && facts.isKnownFlake ? facts.reruns + 1 : facts.reruns;
  if (facts.canRerun && facts.failures <= reruns) return { kind: "rerun" };
  return facts.onBase === "pending" ? { kind: "wait" } : { kind: "attribute", cause: "branch" };
}
