import type { AnyEvent } from "../event.ts";
import type { StreamId } from "../stream.ts";
import type { Unrecorded, WaitReason } from "./find-wait.ts";

/** What rules do besides merging. escalations: after a message that did not help. holds: merges held for quiet hours. */
export type StepKind = "messages" | "escalations" | "notifications" | "actions" | "holds";

/** How a pull request would have come to its merge under other rules. */
export const MERGE_ROWS = [
  /** It waited for a person, and would not have. */
  "automatic",
  /** It would have waited for a shorter time. */
  "sooner",
  /** It did not wait for a person, and would have. */
  "waits",
  /** It would have waited for longer. */
  "later",
  /** It waits under both rules, although the other ones merge automatically. */
  "still-waits",
  /** The log does not have what the other rules need to know. */
  "unknown",
  /** It would have merged a commit that people changed or closed instead. */
  "unfinished",
  /** It would have waited for a person; the main guard reverted it. */
  "bad-caught",
  /** It would have merged without a person; the main guard reverted it. */
  "bad",
] as const;

export type MergeRowKind = (typeof MERGE_ROWS)[number];

/** One difference between two sets of rules. */
export interface DryRunRow {
  readonly kind: MergeRowKind | `more-${StepKind}` | `fewer-${StepKind}`;
  readonly count: number;
  /** Why a merge waits or is unknown, or what became of an unfinished one; null: nothing to add. */
  readonly reason: RowReason;
  /** Waiting time that these merges would have saved. */
  readonly savedMs: number;
  readonly examples: readonly {
    readonly stream: StreamId;
    /** For a step of the rules. */
    readonly event?: AnyEvent;
  }[];
}

export type RowReason =
  | WaitReason
  | { readonly kind: "unrecorded"; readonly what: Unrecorded }
  | { readonly kind: "closed" | "changed" };

export const MAX_EXAMPLES = 3;
