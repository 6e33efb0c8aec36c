import type { BuildAnswer, BuiltMerge, MergeRequest } from "../../../ports/scm.ts";
import type { ScmTools } from "../../../providers/git/scm/tools.ts";
import { build } from "./build.ts";
import { requireMergeTree } from "./merge.ts";

/** Maximum number of listed base commits. */
const MAX_SINCE = 50;

/** Builds the merges of several changes, each on top of the one before, as commits that no branch has. */
export async function buildMerges(
  tools: ScmTools,
  requests: readonly MergeRequest[],
  base: string,
): Promise<BuildAnswer> {
  const built: BuiltMerge[] = [];
  let tip = base;
  for (const request of requests) {
    await requireMergeTree(tools, request);
    const merge = await build(tools, request, tip);
    if (merge.kind === "conflict") return { built, conflicts: merge.files };
    tip = await merge.commit();
    const isHeadTree = merge.tree === (await treeOf(tools, request));
    built.push({ commit: tip, isHeadTree, since: isHeadTree ? [] : await listSince(tools, request, base) });
  }
  return { built, conflicts: [] };
}

async function treeOf(tools: ScmTools, { project, head }: MergeRequest): Promise<string> {
  return (await tools.git({ cwd: project.path, args: ["rev-parse", `${head}^{tree}`] })).stdout.trim();
}

async function listSince(tools: ScmTools, { project, head }: MergeRequest, base: string): Promise<readonly string[]> {
  const args = ["rev-list", "--first-parent", "--reverse", `--max-count=${MAX_SINCE}`, base, `^${head}`];
  const { stdout } = await tools.git({ cwd: project.path, args });
  return stdout.split("\n").filter((line) => line !== "");
}
