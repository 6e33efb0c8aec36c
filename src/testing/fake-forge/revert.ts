import { commitTree, mergeTree, readBranch } from "./git.ts";

interface Revert {
  /** What to revert: a merge, or a single commit. */
  readonly commit: string;
  readonly onto: string;
  readonly message: string;
}

/** The commit on top of a branch that reverts another one; null: it does not revert cleanly. */
export async function revertCommit(gitDir: string, { commit, onto, message }: Revert): Promise<string | null> {
  const base = readBranch(gitDir, onto);
  if (base === null) return null;
  // A side with the commit as its parent and the old tree: merging it reverts the commit.
  const side = await commitTree(gitDir, { tree: `${commit}^1^{tree}`, parents: [commit], message: "side" });
  const tree = await mergeTree(gitDir, base, side);
  return tree === null ? null : commitTree(gitDir, { tree, parents: [base], message });
}
