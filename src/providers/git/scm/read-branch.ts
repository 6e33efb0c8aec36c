import type { BranchFacts, ScmProject } from "../../../ports/scm.ts";
import { failure } from "../failure.ts";
import { splitNul } from "../git.ts";
import { readHead } from "./read-head.ts";
import type { ScmTools } from "./tools.ts";

const MAX_SUBJECTS = 20;
const MAX_SUBJECT_CHARS = 200;

/** How a branch compares to its base; null: no such branch. */
export async function readBranch(
  tools: ScmTools,
  project: ScmProject,
  { branch, base }: { readonly branch: string; readonly base: string },
): Promise<BranchFacts | null> {
  const heads = await readHeads(tools, project, { branch, base });
  if (heads === null) return null;
  const { head, baseHead } = heads;
  // Most turns end without a commit, and starting git costs more than all the rest.
  if (head === baseHead) return { head, baseHead, ahead: 0 };
  const args = ["rev-list", "--count", `${baseHead}..${head}`];
  const { stdout } = await tools.git({ cwd: project.path, args });
  return { head, baseHead, ahead: Number(stdout) };
}

/** Subjects of a branch's own commits, newest first. */
export async function readSubjects(
  tools: ScmTools,
  project: ScmProject,
  { branch, base }: { readonly branch: string; readonly base: string },
): Promise<readonly string[]> {
  const heads = await readHeads(tools, project, { branch, base });
  if (heads === null) return [];
  const form = ["-z", `--max-count=${MAX_SUBJECTS}`, "--encoding=UTF-8", "--format=%s"];
  const args = ["log", ...form, `${heads.baseHead}..${heads.head}`];
  const { stdout } = await tools.git({ cwd: project.path, args });
  return splitNul(stdout).map((subject) => subject.slice(0, MAX_SUBJECT_CHARS));
}

async function readHeads(
  tools: ScmTools,
  project: ScmProject,
  { branch, base }: { readonly branch: string; readonly base: string },
): Promise<{ readonly head: string; readonly baseHead: string } | null> {
  const [head, baseHead] = [await readHead(tools, project, branch), await readHead(tools, project, base)];
  if (head === null) return null;
  if (baseHead === null) throw missingBase(project, base);
  return { head, baseHead };
}

/** The error for a missing base; retrying does not help. */
export function missingBase(project: ScmProject, base: string): Error {
  return failure("not-found", "not-found", {
    message: `There is no branch ${base} in ${project.path} to merge into.`,
    hint: "Check the project's defaultBranch.",
  });
}
