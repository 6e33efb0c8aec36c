import type { BranchFacts, ScmProject } from "../../../ports/scm.ts";
import { failure } from "../../../providers/git/failure.ts";
import { splitNul } from "../../../providers/git/git.ts";
import { readHead } from "./read-head.ts";
import type { ScmTools } from "./tools.ts";

const MAX_SUBJECTS = 20;
const MAX_SUBJECT_CHARS = 200;

/** What a branch holds against its base; null when there is no such branch. */
export async function readBranch(
  tools: ScmTools,
  project: ScmProject,
  branch: string,
  base: string,
): Promise<BranchFacts | null> {
  const [head, baseHead] = [await readHead(tools, project, branch), await readHead(tools, project, base)];
  if (head === null) return null;
  if (baseHead === null) throw missingBase(project, base);
  const ask = async (...args: string[]): Promise<string> =>
    (await tools.git({ cwd: project.path, args, okCodes: [0, 1] })).stdout;
  const [mergeBase, counts, subjects] = await Promise.all([
    ask("merge-base", baseHead, head),
    ask("rev-list", "--left-right", "--count", `${baseHead}...${head}`),
    ask("log", "-z", `--max-count=${MAX_SUBJECTS}`, "--encoding=UTF-8", "--format=%s", `${baseHead}..${head}`),
  ]);
  const [behind = 0, ahead = 0] = counts.trim().split(/\s+/).map(Number);
  return {
    head,
    baseHead,
    mergeBase: mergeBase.split("\n")[0] ?? "",
    ahead,
    behind,
    subjects: splitNul(subjects).map((subject) => subject.slice(0, MAX_SUBJECT_CHARS)),
  };
}

/** The error of a base that is not there, which no second try will bring. */
export function missingBase(project: ScmProject, base: string): Error {
  return failure("not-found", "not-found", {
    message: `There is no branch ${base} in ${project.path} to merge into.`,
    hint: "Check the project's defaultBranch.",
  });
}
