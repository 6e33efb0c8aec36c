import type { WorkspaceRef } from "../../../ports/workspace.ts";
import { assess } from "./assess.ts";
import { isAncestor, readRefs, startRefs } from "./refs.ts";
import { readGitFile } from "./repository.ts";
import type { Tools } from "./tools.ts";

export interface MergedAnswer {
  readonly merged: boolean;
  readonly reason: string;
}

/** May the folder and the branch be deleted: clean, and every commit in the default branch? */
export async function checkMerged(tools: Tools, ref: WorkspaceRef): Promise<MergedAnswer> {
  const adminDir = await readGitFile(tools.host.fs, ref.path);
  if (adminDir !== null) {
    const state = await assess(tools, ref.path, adminDir);
    if (state.kind === "keep") return no(`${ref.path} ${state.reason}.`);
    if (state.kind === "dirty") return no(`${ref.path} has work that is not committed on a branch.`);
  }
  const branch = await readMerge(tools, ref);
  return { merged: branch.commit !== null, reason: branch.reason };
}

/** Deletes the branch if it is merged and nobody has it checked out. */
export async function deleteBranch(tools: Tools, ref: WorkspaceRef): Promise<boolean> {
  const branch = await readMerge(tools, ref);
  if (branch.commit === null || branch.checkedOut) return false;
  // Compare and swap: a commit that arrives in this moment keeps the branch.
  const args = ["update-ref", "-d", `refs/heads/${ref.branch}`, branch.commit];
  const { code } = await tools.git({ cwd: ref.project.path, args, okCodes: [0, 1, 128] });
  return code === 0;
}

interface Merge {
  /** The branch's commit when it is merged, else null. */
  readonly commit: string | null;
  readonly checkedOut: boolean;
  readonly reason: string;
}

async function readMerge(tools: Tools, ref: WorkspaceRef): Promise<Merge> {
  const cwd = ref.project.path;
  const target = ref.project.defaultBranch;
  const own = `refs/heads/${ref.branch}`;
  const known = await readRefs(tools.git, cwd, [own, ...startRefs(target)]);
  const branch = known.get(own);
  const checkedOut = (branch?.checkedOutAt ?? null) !== null;
  if (branch === undefined) return { commit: null, checkedOut, reason: `The branch ${ref.branch} does not exist.` };
  if (ref.branch === target) return { commit: null, checkedOut, reason: `${target} is the default branch itself.` };
  for (const name of startRefs(target)) {
    const fact = known.get(name);
    if (fact === undefined || !(await isAncestor(tools.git, cwd, branch.commit, fact.commit))) continue;
    return { commit: branch.commit, checkedOut, reason: `${ref.branch} is contained in ${name}.` };
  }
  return { commit: null, checkedOut, reason: `${ref.branch} has commits that ${target} does not contain.` };
}

function no(reason: string): MergedAnswer {
  return { merged: false, reason };
}
