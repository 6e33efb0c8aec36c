import { commitTree, git, mergeTree, readBranch } from "../fake-forge/git.ts";
import type { Account, Pull, Repository } from "./model.ts";
import { emitPull, openPull } from "./pulls.ts";
import type { World } from "./world.ts";

interface RevertOrder {
  readonly pull: Pull;
  readonly by: Account;
  readonly title?: string | null;
  readonly body?: string | null;
}

/** Opens a pull request that takes a merged one back, on a branch of its own, as GitHub does. */
export async function revertPull(world: World, repository: Repository, order: RevertOrder): Promise<Pull> {
  const { pull, by, title, body } = order;
  const { gitDir } = repository;
  const base = readBranch(gitDir, pull.baseBranch);
  if (pull.mergeCommit === null || base === null) throw new Error("Pull request is not merged");
  // A side with the merge as its parent and the tree from before: merging it takes the merge back.
  const parent = pull.mergeCommit;
  const side = await commitTree(gitDir, { tree: `${parent}^1^{tree}`, parents: [parent], message: "side" });
  const tree = await mergeTree(gitDir, base, side);
  if (tree === null) throw new Error("This pull request cannot be reverted automatically");
  const words = title ?? `Revert "${pull.title}"`;
  const commit = await commitTree(gitDir, { tree, parents: [base], message: words });
  const branch = `revert-${pull.number}-${pull.headBranch}`;
  await git(gitDir, ["update-ref", `refs/heads/${branch}`, commit]);
  const fields = { author: by, title: words, body: body ?? null, head: branch, base: pull.baseBranch };
  const made = openPull(world, repository, fields);
  await emitPull(world, repository, { action: "opened", pull: made, sender: by });
  return made;
}
