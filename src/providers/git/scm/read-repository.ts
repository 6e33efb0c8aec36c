import type { ChangeSize } from "../../../core/change/state.ts";
import type { Scm, ScmProject } from "../../../ports/scm.ts";
import { splitNul } from "../git.ts";
import { diffChange } from "./diff.ts";
import { inspectRepository } from "./inspect-repository.ts";
import { tryMerge } from "./merge-tree.ts";
import { findOwnStart } from "./own-start.ts";
import { readBranch, readSubjects } from "./read-branch.ts";
import { readHead } from "./read-head.ts";
import { readVersions } from "./read-versions.ts";
import type { ScmTools } from "./tools.ts";

type Reading = Pick<
  Scm,
  | "readBranch"
  | "readSubjects"
  | "readHead"
  | "tryMerge"
  | "findOwnStart"
  | "countChanges"
  | "countLines"
  | "readVersions"
  | "diff"
  | "inspectRepository"
  | "hasCommit"
>;

/** What every forge reads in the project's own repository. */
export function readRepository(tools: ScmTools): Reading {
  return {
    readBranch: (project, branch, base) => readBranch(tools, project, { branch, base }),
    readSubjects: (project, branch, base) => readSubjects(tools, project, { branch, base }),
    readHead: (project, branch) => readHead(tools, project, branch),
    tryMerge: (project, commits) => tryMerge(tools, project, commits),
    findOwnStart: (project, commits) => findOwnStart(tools, project, commits),
    countChanges: (project, commits) => countChanges(tools, project, commits),
    countLines: (project, commit, path) => countLines(tools, project, `${commit}:${path}`),
    readVersions: (project, change) => readVersions(tools, project, change),
    diff: (project, head, base) => diffChange(tools, project, { head, base }),
    hasCommit: (project, commit) => hasCommit(tools, project, commit),
    inspectRepository: (project, since) => inspectRepository(tools, project, since),
  };
}

async function hasCommit(tools: ScmTools, project: ScmProject, commit: string): Promise<boolean> {
  const args = ["cat-file", "-e", `${commit}^{commit}`];
  return (await tools.git({ cwd: project.path, args, okCodes: [0, 1, 128] })).code === 0;
}

/** The size of a commit's changes since it left its base; a binary file counts as a file without lines. */
async function countChanges(
  tools: ScmTools,
  project: ScmProject,
  { head, base }: { readonly head: string; readonly base: string },
): Promise<ChangeSize> {
  const args = ["diff", "--numstat", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", `${base}...${head}`, "--"];
  const { stdout } = await tools.git({ cwd: project.path, args });
  const files = splitNul(stdout).map((line) => line.split("\t"));
  const sum = (column: number): number => files.reduce((total, file) => total + (Number(file[column]) || 0), 0);
  const paths = files.map(([, , ...path]) => path.join("\t"));
  return { added: sum(0), removed: sum(1), files: files.length, paths };
}

/** The number of lines of a file in a commit, as `commit:path`; null: not a file there. */
async function countLines(tools: ScmTools, project: ScmProject, object: string): Promise<number | null> {
  if (object.startsWith("-")) return null;
  const kind = await tools.git({ cwd: project.path, args: ["cat-file", "-t", object], okCodes: [0, 128] });
  if (kind.stdout.trim() !== "blob") return null;
  const counted = await tools.git({
    cwd: project.path,
    args: ["cat-file", "blob", object],
    // Also counts a last line without a newline; grep's exit code 1 means none.
    script: 'git "$@" | LC_ALL=C grep -ac ""; :',
  });
  return Number.parseInt(counted.stdout, 10) || 0;
}
