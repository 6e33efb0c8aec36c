import type { ScmProject } from "../../../ports/scm.ts";
import { repositoryLane } from "../lane.ts";
import { findCommonDir } from "../repository.ts";
import { holdersOf, listCheckouts } from "./checkout.ts";
import { isBranchName, readHead } from "./read-head.ts";
import type { ScmTools } from "./tools.ts";

export interface Deletion {
  readonly deleted: boolean;
  readonly reason: string;
}

/** Deletes a branch that is still at `head` and checked out nowhere; its head stays under refs/ao/merged. */
export async function deleteBranch(
  tools: ScmTools,
  project: ScmProject,
  { branch, head }: { readonly branch: string; readonly head: string },
): Promise<Deletion> {
  if (!isBranchName(branch)) return { deleted: false, reason: `"${branch}" is not the name of a branch` };
  return repositoryLane(await findCommonDir(tools.host.fs, project.path), () =>
    deleteAlone(tools, project, { branch, head }),
  );
}

async function deleteAlone(
  tools: ScmTools,
  project: ScmProject,
  { branch, head }: { readonly branch: string; readonly head: string },
): Promise<Deletion> {
  const cwd = project.path;
  const ref = `refs/heads/${branch}`;
  if (branch === project.defaultBranch) return { deleted: false, reason: `${branch} is the project's default branch` };
  const now = await readHead(tools, project, branch);
  if (now === null) return { deleted: true, reason: `${branch} was gone already` };
  if (now !== head) return { deleted: false, reason: `${branch} has moved to ${now.slice(0, 12)}` };
  const [holder] = holdersOf(await listCheckouts(tools, cwd), ref);
  if (holder !== undefined) return { deleted: false, reason: `${branch} is checked out in ${holder.path}` };
  const kept = await tools.git({ cwd, args: ["for-each-ref", "--count=1", `--points-at=${head}`, "refs/ao/merged"] });
  const keep = kept.stdout.trim() === "" ? [`update refs/ao/merged/commit-${head} ${head}`] : [];
  const lines = ["start", ...keep, `delete ${ref} ${head}`, "prepare", "commit"];
  const args = ["update-ref", "--stdin"];
  const { code } = await tools.git({ cwd, args, stdin: `${lines.join("\n")}\n`, okCodes: [0, 1, 128] });
  return code === 0 ? { deleted: true, reason: "" } : { deleted: false, reason: `${branch} moved at this moment` };
}
