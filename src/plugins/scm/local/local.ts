import { z } from "zod";
import type { ChangeSize } from "../../../core/change/state.ts";
import { definePlugin } from "../../../ports/plugin.ts";
import type { Scm, ScmProject } from "../../../ports/scm.ts";
import { createGit, splitNul } from "../../../providers/git/git.ts";
import { createProgramGuard } from "../../../providers/git/programs.ts";
import { readCheckLog } from "./check/read-log.ts";
import { runCheck } from "./check/run-check.ts";
import { deleteBranch } from "./delete-branch.ts";
import { diffChange } from "./diff.ts";
import { ensureChange } from "./ensure-change.ts";
import { merge, reconcileMerge } from "./merge.ts";
import { tryMerge } from "./merge-tree.ts";
import { readBranch, readSubjects } from "./read-branch.ts";
import { readHead } from "./read-head.ts";
import type { ScmTools } from "./tools.ts";

/** The forge without a server: branches of the project's own repository, checks run here, merges by compare-and-swap. */
export const localScm = definePlugin({
  slot: "scm",
  name: "local",
  summary: "Branches, checks and merges in the project's own repository; no server.",
  config: z.strictObject({}),
  requires: [
    { program: "git", versionArgs: ["--version"], minVersion: "2.38", fix: "Install git 2.38 or newer (git-scm.com)." },
  ],
  create(_config, host, context): Scm {
    const guards = context.home === "" ? {} : { overrides: createProgramGuard(host, context.home) };
    const tools: ScmTools = { host, git: createGit(host, guards), home: context.home };
    return {
      readBranch: (project, branch, base) => readBranch(tools, project, branch, base),
      readSubjects: (project, branch, base) => readSubjects(tools, project, branch, base),
      readHead: (project, branch) => readHead(tools, project, branch),
      tryMerge: (project, head, baseHead) => tryMerge(tools, project, head, baseHead),
      ensureChange: (request) => ensureChange(tools, request),
      merge: (request) => merge(tools, request),
      reconcileMerge: (request) => reconcileMerge(tools, request),
      deleteBranch: (project, branch, head) => deleteBranch(tools, project, branch, head),
      countChanges: (project, commits) => countChanges(tools, project, commits),
      countLines: (project, commit, path) => countLines(tools, project, `${commit}:${path}`),
      diff: (project, head, base) => diffChange(tools, project, head, base),
      runCheck: (request, isWanted) => runCheck(tools, request, isWanted),
      readCheckLog: (folder, cursor) => readCheckLog(host, folder, cursor),
    };
  },
});

/** How much a commit changes against where it left its base; a binary file counts as a file without lines. */
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

/** How many lines a file has in a commit, as `commit:path`; null: it is no file there. */
async function countLines(tools: ScmTools, project: ScmProject, object: string): Promise<number | null> {
  if (object.startsWith("-")) return null;
  const kind = await tools.git({ cwd: project.path, args: ["cat-file", "-t", object], okCodes: [0, 128] });
  if (kind.stdout.trim() !== "blob") return null;
  const counted = await tools.git({
    cwd: project.path,
    args: ["cat-file", "blob", object],
    // Counts a last line without an end too; grep's exit code 1 means none.
    script: 'git "$@" | LC_ALL=C grep -ac ""; :',
  });
  return Number.parseInt(counted.stdout, 10) || 0;
}
