import { commitTree, mergeTree, readBranch } from "./git.ts";

interface Revert {
  /** What is to be taken back: a merge, or a commit that is one. */
  readonly commit: string;
  readonly onto: string;
  readonly message: string;
}

/** The commit on top of a branch that takes another one back; null: it does not revert cleanly. */
export async function revertCommit(gitDir: string, { commit, onto, message }: Revert): Promise<string | null> {
  const base = readBranch(gitDir, onto);
  if (base === null) return null;
  // A side with the commit as its parent and the tree from before: merging it takes the commit back.
  const side = await commitTree(gitDir, { tree: `${commit}^1^{tree}`, parents: [commit], message: "side" });
  const tree = await mergeTree(gitDir, base, side);
  return tree === null ? null : commitTree(gitDir, { tree, parents: [base], message });
}
