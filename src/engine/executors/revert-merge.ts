import { type EffectDeps, type Executor, requireChange } from "../executor.ts";
import { requestFor } from "./merge-change.ts";

/** Reverts the merge that broke the base and reopens its issue; the base itself shows whether that was already done. */
export const revertMerge: Executor<"revert-merge"> = {
  survivesDaemon: false,
  concurrency: 1,
  execute: async ({ projectId, key, check }, _intentId, deps) => {
    const { head, merged } = requireChange(deps, key);
    const scm = deps.scmOf(projectId);
    if (merged === null || scm.revertMerge === undefined) return failed("This forge cannot revert a merge.");
    const request = await requestFor({ changeKey: key, head, strategy: merged.strategy }, deps);
    const answer = await scm.revertMerge({ ...request, merged, check });
    deps.faultPoint("revert-merge: before it is recorded");
    if (answer.kind === "not-reverted") return failed(answer.reason);
    await reopenIssue(deps, key);
    return { kind: "merge-reverted", commit: answer.commit };
  },
  reconcile: async () => ({ kind: "not-done" }),
};

function failed(message: string): { kind: "failed"; code: string; message: string; hint: string } {
  return { kind: "failed", code: "plugin-failed", message, hint: "Revert it by hand." };
}

// The base is green again whether or not the tracker can be written.
async function reopenIssue(deps: EffectDeps, key: string): Promise<void> {
  const { projectId, issue } = requireChange(deps, key);
  if (issue === null) return;
  try {
    const tracker = await deps.trackerOf(projectId);
    await tracker.edit?.(issue, { state: "open" });
  } catch (error) {
    deps.host.log.warn("an issue could not be reopened", { issue, reason: String(error) });
  }
}
