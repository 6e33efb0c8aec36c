import type { Executor } from "../executor.ts";

/** Deletes the ref that kept what was built for a batch that is over; deleting it again does nothing. */
export const releaseTrain: Executor<"release-train"> = {
  survivesDaemon: false,
  concurrency: 4,
  execute: async ({ projectId, batch }, _intentId, deps) => {
    await deps.scmOf(projectId).releaseBatch?.(deps.scmProjectOf(projectId), batch);
    return { kind: "train-released" };
  },
  reconcile: async () => ({ kind: "not-done" }),
};
