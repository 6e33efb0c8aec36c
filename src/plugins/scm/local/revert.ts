import type { MergeRevert, MergeRevertAnswer } from "../../../ports/scm.ts";
import { splitNul } from "../../../providers/git/git.ts";
import { mergeOwn } from "../../../providers/git/scm/merge-tree.ts";
import type { ScmTools } from "../../../providers/git/scm/tools.ts";
import { identityEnv, readAuthorship } from "./author.ts";
import { type Build, commitTree } from "./commit-tree.ts";
import { moveBase } from "./merge.ts";

/** How far back to search for an earlier revert. */
const MAX_COMMITS = 500;

/** Reverts the merge of a change with one commit on its base, which moves by compare-and-swap as for a merge. */
export async function revertMerge(tools: ScmTools, request: MergeRevert): Promise<MergeRevertAnswer> {
  const answer = await moveBase(tools, request, {
    findDone: (base) => findReverted(tools, request, base),
    build: (base) => buildRevert(tools, request, base),
  });
  switch (answer.kind) {
    case "merged":
      return { kind: "reverted", commit: answer.commit };
    case "conflict":
      return { kind: "not-reverted", reason: `Later changes in ${answer.files.slice(0, 5).join(", ")} build on it.` };
    case "waits":
      return { kind: "not-reverted", reason: `${answer.reason}.` };
  }
}

async function findReverted(tools: ScmTools, { project, merged }: MergeRevert, base: string): Promise<string | null> {
  const format = "--format=%H %(trailers:key=Ao-Revert,valueonly,separator=%x20)";
  const args = ["log", "-z", "--first-parent", `--max-count=${MAX_COMMITS}`, format, base];
  const lines = splitNul((await tools.git({ cwd: project.path, args })).stdout).map((line) => line.trim().split(" "));
  return lines.find(([, reverted]) => reverted === merged.commit)?.[0] ?? null;
}

// Three trees: the base after the merge is the origin, the base before it is one side, the current base is the other.
async function buildRevert(tools: ScmTools, request: MergeRevert, base: string): Promise<Build> {
  const { project, merged, head } = request;
  const cwd = project.path;
  const result = await mergeOwn(tools, cwd, {
    baseHead: base,
    head: merged.baseBefore,
    startsAfter: merged.commit,
  });
  if (result.kind !== "clean") return { kind: "conflict", files: result.kind === "conflict" ? result.files : [] };
  const { committer } = await readAuthorship(tools, cwd, { base, head });
  const env = identityEnv(committer, committer);
  const commit = { tree: result.tree, parents: [base], message: formatMessage(request), env };
  return { kind: "ready", tree: result.tree, commit: () => commitTree(tools, cwd, commit) };
}

function formatMessage({ number, merged, check }: MergeRevert): string {
  const why = `The check ${check.replace(/\s+/g, " ")} is red since commit ${merged.commit}.`;
  return `Revert #${number}\n\n${why}\n\nAo-Revert: ${merged.commit}\n`;
}
