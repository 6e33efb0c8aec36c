import { PluginError } from "../../core/errors.ts";
import type { ChangeRequest, ScmProject } from "../../ports/scm.ts";
import { type Deletion, deleteBranch } from "../git/scm/delete-branch.ts";
import { isBranchName, readHead } from "../git/scm/read-head.ts";
import { deleteRemoteBranch, pushBranch, type RemoteTools } from "../git/scm/remote-repository.ts";

/** Pushes the branch of a new pull request; rejects if the forge has other work under its name. */
export async function pushRequestBranch(
  tools: RemoteTools,
  { project, branch, head }: ChangeRequest,
  forge: { readonly plugin: string; readonly name: string },
): Promise<void> {
  const { plugin, name } = forge;
  if (!isBranchName(branch) || (await readHead(tools, project, branch)) === null) {
    const message = `There is no branch ${branch} in ${project.path}.`;
    throw new PluginError({ plugin, category: "not-found", message });
  }
  const pushed = await pushBranch(tools, project, { branch, head, published: null });
  if (pushed.kind !== "diverged") return;
  throw new PluginError({
    plugin,
    category: "conflict",
    message: `${name} already has a branch ${branch}, at ${pushed.head.slice(0, 12)}, which is not in the worktree.`,
    hint: `Delete it there, or merge it into ${branch}.`,
  });
}

/** A merged branch of a project on a forge. */
interface MergedBranch {
  readonly project: ScmProject;
  readonly branch: string;
  /** The merged commit. */
  readonly head: string;
}

/** Deletes a merged branch on the forge and locally, if each is still at the merged commit. */
export async function deleteEverywhere(tools: RemoteTools, { project, branch, head }: MergedBranch): Promise<Deletion> {
  if (!isBranchName(branch)) return { deleted: false, reason: `"${branch}" is not the name of a branch` };
  if (branch === project.defaultBranch) return { deleted: false, reason: `${branch} is the project's default branch` };
  const there = await deleteRemoteBranch(tools, project, { branch, head });
  if (there === null) return deleteBranch(tools, project, { branch, head });
  const { forge } = tools.repositoryThere;
  return { deleted: false, reason: `${branch} has moved on ${forge} to ${there.slice(0, 12)}` };
}
