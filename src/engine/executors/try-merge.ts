import { type Executor, requireChange } from "../executor.ts";

/** Would the change merge? Asked in memory; asking twice is fine. */
export const tryMerge: Executor<"try-merge"> = {
  survivesDaemon: false,
  concurrency: 4,
  execute: async (spec, _intentId, deps) => {
    const { projectId } = requireChange(deps, spec.changeKey);
    const answer = await deps.scmOf(projectId).tryMerge(deps.scmProjectOf(projectId), spec.head, spec.baseHead);
    return {
      kind: "merge-tried",
      result: answer.kind,
      files: answer.kind === "conflict" ? answer.files : [],
      reason: answer.kind === "unknown" ? answer.reason : null,
    };
  },
  reconcile: async () => ({ kind: "not-done" }),
};
