import { commitTree, git, mergeTree, readBranch, rebase } from "../fake-forge/git.ts";
import { protectionBlockers } from "./gate.ts";
import { closeLinkedIssues } from "./linked-issues.ts";
import type { Account, MergeMethod, Pull, Repository } from "./model.ts";
import { emitPull } from "./pulls.ts";
import { setState, type World } from "./world.ts";

export interface MergeOrder {
  readonly pull: Pull;
  readonly method: MergeMethod;
  readonly by: Account;
  readonly sha?: string | undefined;
  readonly title?: string | undefined;
  readonly message?: string | undefined;
  /** The merge queue merges it. */
  readonly isFromQueue?: boolean;
}

/** A rejected merge with GitHub's status and message. */
export interface Refusal {
  readonly status: 405 | 409;
  readonly message: string;
}

/** Merges with git, as GitHub would; returns the commit or the reason why not. */
export async function mergePull(
  world: World,
  repository: Repository,
  order: MergeOrder,
): Promise<{ readonly commit: string } | Refusal> {
  const { pull, by } = order;
  const base = readBranch(repository.gitDir, pull.baseBranch);
  const refusal = refuse(repository, order);
  if (refusal !== null) return refusal;
  if (base === null) return { status: 405, message: "Base branch does not exist" };
  const commit = await writeMerge(repository, order, base);
  if (commit === null) return { status: 405, message: "Pull Request is not mergeable" };
  await git(repository.gitDir, ["update-ref", `refs/heads/${pull.baseBranch}`, commit, base]);
  setState(world, pull, { state: "closed" });
  pull.mergedAt = world.now();
  pull.mergedBy = by;
  pull.mergeCommit = commit;
  pull.autoMerge = null;
  if (repository.allowed.deleteBranchOnMerge) {
    await git(pull.headRepository.gitDir, ["update-ref", "-d", `refs/heads/${pull.headBranch}`]);
  }
  await emitPull(world, repository, { action: "closed", pull, sender: by });
  await closeLinkedIssues(world, repository, pull);
  return { commit };
}

function refuse(repository: Repository, { pull, method, sha, isFromQueue = false }: MergeOrder): Refusal | null {
  if (pull.mergedAt !== null) return { status: 405, message: "Pull Request is not mergeable" };
  if (pull.state === "closed") return { status: 405, message: "Pull Request is closed" };
  if (sha !== undefined && sha !== pull.head) {
    return { status: 409, message: "Head branch was modified. Review and try the merge again." };
  }
  const needsQueue = repository.rulesets.get(pull.baseBranch)?.some(({ type }) => type === "merge_queue") === true;
  if (needsQueue && !isFromQueue) return { status: 405, message: "Changes must be made through the merge queue" };
  if (pull.isDraft) return { status: 405, message: "Pull Request is still a draft" };
  if (!repository.allowed[method]) {
    const name = { merge: "Merge commits are", squash: "Squash merges are", rebase: "Rebase merges are" }[method];
    return { status: 405, message: `${name} not allowed on this repository.` };
  }
  const [blocker] = protectionBlockers(repository, pull);
  return blocker === undefined ? null : { status: 405, message: blocker };
}

async function writeMerge(repository: Repository, order: MergeOrder, base: string): Promise<string | null> {
  const { pull, method } = order;
  const { gitDir } = repository;
  if (method === "rebase") return rebase(gitDir, base, pull.head);
  const tree = await mergeTree(gitDir, base, pull.head);
  if (tree === null) return null;
  const from = `${pull.headRepository.owner.login}/${pull.headBranch}`;
  const isSquash = method === "squash";
  const title =
    order.title ?? (isSquash ? `${pull.title} (#${pull.number})` : `Merge pull request #${pull.number} from ${from}`);
  const message = order.message ?? (isSquash ? (pull.body ?? "") : pull.title);
  const parents = isSquash ? [base] : [base, pull.head];
  return commitTree(gitDir, { tree, parents, message: message === "" ? title : `${title}\n\n${message}` });
}
