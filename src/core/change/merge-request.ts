import type { MergeStrategy } from "../merge/strategy.ts";
import type { StoredText } from "../text.ts";

/** A place in the merge queue of a forge, which merges its entries. */
export interface QueuePlace {
  /** What people call it: `GitHub's merge queue`. */
  readonly name: string;
  /** From 1; null: unknown. */
  readonly position: number | null;
  /** The forge's id of the last earlier removal; a different one is news. */
  readonly removal: string | null;
}

/** A request to merge one commit; it waits until nothing blocks it. */
export interface MergeRequest {
  readonly by: string;
  readonly strategy: MergeStrategy;
  readonly deleteAfter: boolean;
  /** Only this commit; a newer one voids the request. */
  readonly head: string;
  /** Why it waits; null: it does not. */
  readonly reason: string | null;
  readonly files: readonly string[];
  readonly notBefore: number;
  /** How often it had to wait. */
  readonly holds: number;
  /** A person's reason to override the project's own rules; absent: they apply. */
  readonly override?: string;
  /** It waits for a time set by the policy, which is not a problem. */
  readonly isPlanned?: boolean;
  /** It is in the forge's own queue; absent: in none. */
  readonly queue?: QueuePlace;
  /** The merge itself has started, so it can no longer be canceled. Absent in states of older versions. */
  readonly isUnderWay?: boolean;
  readonly at: number;
}

/** Why the merge train rejected a pull request: green alone, red on the newest base. */
export interface Rejection {
  readonly head: string;
  /** The base, and the commit that the merge would have made it. */
  readonly base: string;
  readonly commit: string;
  /** Numbers of the pull requests merged since its branch left the base. */
  readonly since: readonly number[];
  readonly check: string;
  readonly state: "failed" | "timed-out";
  readonly code: number | null;
  readonly log: StoredText | null;
  readonly fingerprint: string;
}
