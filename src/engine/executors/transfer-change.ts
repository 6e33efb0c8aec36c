import { type Executor, requireChange } from "../executor.ts";
import { changeBody } from "./change-body.ts";
import { requireRemote } from "./remote.ts";

/** Opens a local pull request on its project's forge, which finds it by its branch: a repetition is the reconciliation. */
export const transferChange: Executor<"transfer-change"> = {
  survivesDaemon: false,
  concurrency: 4,
  execute: async ({ changeKey, head }, _intentId, deps) => {
    const change = requireChange(deps, changeKey);
    const { projectId, branch, base, title } = change;
    requireRemote(deps, projectId);
    const { number, url, isDraft } = await deps.scmOf(projectId).ensureChange({
      project: deps.scmProjectOf(projectId),
      branch,
      base,
      head,
      title,
      body: await changeBody(deps, projectId, change),
      after: deps.lastNumber(projectId),
    });
    deps.faultPoint("transfer-change: before it is recorded");
    return { kind: "change-opened", number, url, isRemote: true, ...(isDraft === true ? { isDraft } : {}) };
  },
  reconcile: async () => ({ kind: "not-done" }),
};
