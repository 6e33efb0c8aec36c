/** Files that git keeps in a checkout's git folder while an operation is unfinished, and the name of the operation. */
export const OPERATIONS: readonly (readonly [file: string, operation: string])[] = [
  ["rebase-merge", "a rebase"],
  ["rebase-apply", "a rebase or git am"],
  ["MERGE_HEAD", "a merge"],
  ["CHERRY_PICK_HEAD", "a cherry-pick"],
  ["REVERT_HEAD", "a revert"],
  ["sequencer", "a cherry-pick or revert"],
  ["BISECT_START", "a bisect"],
  ["BISECT_LOG", "a bisect"],
];
