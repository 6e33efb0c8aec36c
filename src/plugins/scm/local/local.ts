import { z } from "zod";
import { definePlugin } from "../../../ports/plugin.ts";
import type { Scm } from "../../../ports/scm.ts";
import { createGit } from "../../../providers/git/git.ts";
import { createProgramGuard } from "../../../providers/git/programs.ts";
import { deleteBranch } from "../../../providers/git/scm/delete-branch.ts";
import { readRepository } from "../../../providers/git/scm/read-repository.ts";
import type { ScmTools } from "../../../providers/git/scm/tools.ts";
import { buildMerges, releaseBatch } from "./build-merges.ts";
import { readCheckLog } from "./check/read-log.ts";
import { runCheck } from "./check/run-check.ts";
import { ensureChange } from "./ensure-change.ts";
import { merge, reconcileMerge } from "./merge.ts";
import { revertMerge } from "./revert.ts";

/** The forge without a server: branches in the project's own repository, local checks, merges by compare-and-swap. */
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
      ...readRepository(tools),
      ensureChange: (request) => ensureChange(tools, request),
      merge: (request) => merge(tools, request),
      buildMerges: (requests, place) => buildMerges(tools, requests, place),
      releaseBatch: (project, batch) => releaseBatch(tools, project, batch),
      revertMerge: (request) => revertMerge(tools, request),
      reconcileMerge: (request) => reconcileMerge(tools, request),
      deleteBranch: (project, branch, head) => deleteBranch(tools, project, { branch, head }),
      runCheck: (request, isWanted) => runCheck(tools, request, isWanted),
      readCheckLog: (folder, cursor) => readCheckLog(host, folder, cursor),
    };
  },
});
