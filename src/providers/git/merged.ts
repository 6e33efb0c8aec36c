import type { MergedAnswer, WorkspaceRef } from "../../ports/workspace.ts";
import type { CheckoutTools } from "./kind.ts";
import { findCheckout, isAncestor, readRefs, startRefs } from "./refs.ts";
import { findCommonDir } from "./repository.ts";
import type { Tools } from "./tools.ts";

/** May the folder and the branch be deleted: clean, and every commit in the default branch? */
export async function checkMerged(tools: CheckoutTools, ref: WorkspaceRef): Promise<MergedAnswer> {
  const gitDir = await tools.kind.findGitDir(ref.path);
  if (gitDir !== null) {
    const state = await tools.kind.assess(ref, ref.path, gitDir);
    if (state.kind === "keep") return no(`${ref.path} ${state.reason}.`);
    if (state.kind === "dirty") return no(`${ref.path} has work that is not committed on a branch.`);
  }
  const branch = await readMerge(tools, ref);
  return { merged: branch.commit !== null, exists: branch.exists, reason: branch.reason };
}

/** Deletes the branch if it is merged and nobody has it checked out. */
export async function deleteBranch(tools: Tools, ref: WorkspaceRef): Promise<boolean> {
  const cwd = ref.project.path;
  const { commit } = await readMerge(tools, ref);
  if (commit === null) return false;
  // In the lane, no worktree of ours can take the branch between the check and the deletion.
  return tools.lane(await findCommonDir(tools.host.fs, cwd), async () => {
    if ((await findCheckout(tools.git, cwd, ref.branch)) !== null) return false;
    // Compare and swap: a commit that arrives at this moment keeps the branch.
    const args = ["update-ref", "-d", `refs/heads/${ref.branch}`, commit];
    return (await tools.git({ cwd, args, okCodes: [0, 1, 128] })).code === 0;
  });
}

interface Merge {
  /** The branch's commit if it is merged, else null. */
  readonly commit: string | null;
  readonly exists: boolean;
  readonly reason: string;
}

async function readMerge(tools: Tools, ref: WorkspaceRef): Promise<Merge> {
  const cwd = ref.project.path;
  const target = ref.project.defaultBranch;
  const own = `refs/heads/${ref.branch}`;
  const known = await readRefs(tools.git, cwd, [own, ...startRefs(target)]);
  const commit = known.get(own);
  if (commit === undefined) return { commit: null, exists: false, reason: `The branch ${ref.branch} does not exist.` };
  if (ref.branch === target) return { commit: null, exists: true, reason: `${target} is the default branch itself.` };
  for (const name of startRefs(target)) {
    const tip = known.get(name);
    if (tip === undefined || !(await isAncestor(tools.git, cwd, { commit, of: tip }))) continue;
    return { commit, exists: true, reason: `${ref.branch} is contained in ${name}.` };
  }
  return { commit: null, exists: true, reason: `${ref.branch} has commits that ${target} does not contain.` };
}

function no(reason: string): MergedAnswer {
  return { merged: false, exists: true, reason };
}
