/** How the commits of a change get into its base. */
export const MERGE_STRATEGIES = ["squash", "merge", "rebase"] as const;

export type MergeStrategy = (typeof MERGE_STRATEGIES)[number];
