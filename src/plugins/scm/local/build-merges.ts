import type { BuildAnswer, BuildPlace, BuiltMerge, MergeRequest, ScmProject } from "../../../ports/scm.ts";
import { refOfBatch } from "../../../providers/git/scm/names.ts";
import type { ScmTools } from "../../../providers/git/scm/tools.ts";
import type { DatedRequest } from "./author.ts";
import { build } from "./build.ts";
import { requireMergeTree } from "./merge.ts";

/** Maximum number of listed base commits. */
const MAX_SINCE = 50;

/**
 * Builds the merges of several changes, each on top of the one before, as commits that no branch has. A ref keeps them
 * from git's garbage collection, and building them again gives the same ones.
 */
export async function buildMerges(
  tools: ScmTools,
  requests: readonly MergeRequest[],
  { base, batch }: BuildPlace,
): Promise<BuildAnswer> {
  const built: BuiltMerge[] = [];
  let tip = base;
  for (const request of requests) {
    await requireMergeTree(tools, request);
    const dated = await withDate(tools, request, tip);
    const merge = await build(tools, dated, tip);
    if (merge.kind === "conflict") return { built, conflicts: merge.files };
    tip = await merge.commit();
    await keep(tools, request.project, { batch, commit: tip });
    const isHeadTree = merge.tree === (await treeOf(tools, request));
    built.push({ commit: tip, isHeadTree, since: isHeadTree ? [] : await listSince(tools, request, base) });
  }
  return { built, conflicts: [] };
}

/** No longer keeps the commits of a batch, or of an older one that was left behind. */
export async function releaseBatch(tools: ScmTools, project: ScmProject, batch: number): Promise<void> {
  const cwd = project.path;
  const prefix = refOfBatch(project.id, "");
  const { stdout } = await tools.git({ cwd, args: ["for-each-ref", "--format=%(refname)", prefix] });
  const over = stdout.split("\n").filter((ref) => ref !== "" && Number(ref.slice(prefix.length)) <= batch);
  if (over.length === 0) return;
  const stdin = over.map((ref) => `delete ${ref}\n`).join("");
  await tools.git({ cwd, args: ["update-ref", "--stdin"], stdin });
}

async function keep(
  tools: ScmTools,
  project: ScmProject,
  { batch, commit }: { readonly batch: number; readonly commit: string },
): Promise<void> {
  await tools.git({ cwd: project.path, args: ["update-ref", refOfBatch(project.id, batch), commit] });
}

// The time of the request, but never earlier than what it is built on.
async function withDate(tools: ScmTools, request: MergeRequest, tip: string): Promise<DatedRequest> {
  const { project, requestedAt } = request;
  if (requestedAt === undefined) return request;
  const args = ["log", "-1", "--format=%ct", tip];
  const { stdout } = await tools.git({ cwd: project.path, args });
  return { ...request, date: Math.max(Math.floor(requestedAt / 1000), Number(stdout.trim()) || 0) };
}

async function treeOf(tools: ScmTools, { project, head }: MergeRequest): Promise<string> {
  return (await tools.git({ cwd: project.path, args: ["rev-parse", `${head}^{tree}`] })).stdout.trim();
}

async function listSince(tools: ScmTools, { project, head }: MergeRequest, base: string): Promise<readonly string[]> {
  const args = ["rev-list", "--first-parent", "--reverse", `--max-count=${MAX_SINCE}`, base, `^${head}`];
  const { stdout } = await tools.git({ cwd: project.path, args });
  return stdout.split("\n").filter((line) => line !== "");
}
