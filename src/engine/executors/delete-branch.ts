import { type Executor, requireChange } from "../executor.ts";

/** Deletes the branch of a merged change if it is still at the merged commit; its head stays under refs/ao/merged. */
export const deleteBranch: Executor<"delete-branch"> = {
  survivesDaemon: false,
  concurrency: 4,
  execute: async (spec, _intentId, deps) => {
    const { projectId, branch } = requireChange(deps, spec.changeKey);
    const answer = await deps.scmOf(projectId).deleteBranch(deps.scmProjectOf(projectId), branch, spec.head);
    return { kind: "branch-settled", deleted: answer.deleted, reason: answer.reason };
  },
  reconcile: async () => ({ kind: "not-done" }),
};
