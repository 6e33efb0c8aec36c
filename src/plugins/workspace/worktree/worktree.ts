import { definePlugin } from "../../../ports/plugin.ts";
import type { Workspace } from "../../../ports/workspace.ts";
import { CheckoutConfig } from "../../../providers/git/config.ts";
import { diffWorkspace } from "../../../providers/git/diff.ts";
import { dropPreserved } from "../../../providers/git/drop-preserved.ts";
import { createGit } from "../../../providers/git/git.ts";
import { repositoryLane } from "../../../providers/git/lane.ts";
import { worktreePath } from "../../../providers/git/layout.ts";
import { checkMerged, deleteBranch } from "../../../providers/git/merged.ts";
import type { Tools } from "../../../providers/git/tools.ts";
import { createWorkspace, reconcileCreate } from "./create.ts";
import { inspectWorkspace } from "./inspect.ts";
import { removeWorkspace } from "./remove.ts";

/** A git worktree for each session: its own folder and branch, one shared repository. */
export const worktree = definePlugin({
  slot: "workspace",
  name: "worktree",
  summary: "A git worktree for each session, below the project's .worktrees folder.",
  config: CheckoutConfig,
  requires: [
    { program: "git", versionArgs: ["--version"], minVersion: "2.25", fix: "Install git 2.25 or newer (git-scm.com)." },
  ],
  capabilities: ["restore", "diff"],
  create(config, host): Workspace {
    const tools: Tools = { host, git: createGit(host), lane: repositoryLane, config };
    // One thing at a time for each folder; different folders do not wait for each other.
    const alone = <T>(path: string, task: () => Promise<T>): Promise<T> => repositoryLane(`folder:${path}`, task);
    return {
      create: async (request) =>
        alone(worktreePath(request.project, request.name), () => createWorkspace(tools, request)),
      reconcileCreate: async (request) =>
        alone(worktreePath(request.project, request.name), () => reconcileCreate(tools, request)),
      remove: (ref) => alone(ref.path, () => removeWorkspace(tools, ref)),
      inspect: (ref) => inspectWorkspace(tools, ref),
      diff: (ref, baseCommit) => diffWorkspace(tools, ref, baseCommit),
      checkMerged: (ref) => checkMerged(tools, ref),
      dropPreserved: (ref, dryRun) => dropPreserved(tools, ref, dryRun),
      deleteBranch: (ref) => deleteBranch(tools, ref),
    };
  },
});
