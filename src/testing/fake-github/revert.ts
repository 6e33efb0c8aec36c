import { git } from "../fake-forge/git.ts";
import { revertCommit } from "../fake-forge/revert.ts";
import type { Account, Pull, Repository } from "./model.ts";
import { emitPull, openPull } from "./pulls.ts";
import type { World } from "./world.ts";

interface RevertOrder {
  readonly pull: Pull;
  readonly by: Account;
  readonly title?: string | null;
  readonly body?: string | null;
}

/** Opens a pull request that reverts a merged one, on its own branch, as GitHub does. */
export async function revertPull(world: World, repository: Repository, order: RevertOrder): Promise<Pull> {
  const { pull, by, title, body } = order;
  const { gitDir } = repository;
  if (pull.mergeCommit === null) throw new Error("Pull request is not merged");
  const words = title ?? `Revert "${pull.title}"`;
  const commit = await revertCommit(gitDir, { commit: pull.mergeCommit, onto: pull.baseBranch, message: words });
  if (commit === null) throw new Error("This pull request cannot be reverted automatically");
  const branch = `revert-${pull.number}-${pull.headBranch}`;
  await git(gitDir, ["update-ref", `refs/heads/${branch}`, commit]);
  const fields = { author: by, title: words, body: body ?? null, head: branch, base: pull.baseBranch };
  const made = openPull(world, repository, fields);
  await emitPull(world, repository, { action: "opened", pull: made, sender: by });
  return made;
}
