import { z } from "zod";
import { definePlugin } from "../../../ports/plugin.ts";
import type { Scm } from "../../../ports/scm.ts";
import { createGit } from "../../../providers/git/git.ts";
import { readCheckLog } from "./check/read-log.ts";
import { runCheck } from "./check/run-check.ts";
import { countChanges } from "./count-changes.ts";
import { countLines } from "./count-lines.ts";
import { deleteBranch } from "./delete-branch.ts";
import { diffChange } from "./diff.ts";
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
  capabilities: ["merge", "checks"],
  create(_config, host, context): Scm {
    const tools: ScmTools = { host, git: createGit(host), home: context.home };
    return {
      readBranch: (project, branch, base) => readBranch(tools, project, branch, base),
      readSubjects: (project, branch, base) => readSubjects(tools, project, branch, base),
      readHead: (project, branch) => readHead(tools, project, branch),
      tryMerge: (project, head, baseHead) => tryMerge(tools, project, head, baseHead),
      merge: (request) => merge(tools, request),
      reconcileMerge: (request) => reconcileMerge(tools, request),
      deleteBranch: (project, branch, head) => deleteBranch(tools, project, branch, head),
      countChanges: (project, commits) => countChanges(tools, project, commits),
      countLines: (project, commit, path) => countLines(tools, project, commit, path),
      diff: (project, head, base) => diffChange(tools, project, head, base),
      runCheck: (request, isWanted) => runCheck(tools, request, isWanted),
      readCheckLog: (folder, cursor) => readCheckLog(host, folder, cursor),
    };
  },
});
