/** Would two commits merge? */
export type Mergeability =
  | { readonly kind: "clean" }
  | { readonly kind: "conflict"; readonly files: readonly string[] }
  /** Cannot be determined (git too old, objects missing). */
  | { readonly kind: "unknown"; readonly reason: string };

/** Two commits to merge. */
export interface TriedMerge {
  readonly head: string;
  readonly baseHead: string;
  /** Only what the head has after this commit is its own: the base has the rest in other commits. */
  readonly startsAfter?: string;
}
