import { type Executor, requireChange } from "../executor.ts";
import { requireRemote } from "./remote.ts";

/** Pushes a commit of a pull request's branch to its forge; pushing twice is fine, so repeating it reconciles. */
export const publishChange: Executor<"publish-change"> = {
  survivesDaemon: false,
  concurrency: 4,
  execute: async ({ changeKey, head }, _intentId, deps) => {
    const { projectId, number, branch, forge } = requireChange(deps, changeKey);
    const project = deps.scmProjectOf(projectId);
    const { published = null, fork } = forge ?? {};
    const request = { project, number, branch, head, published, ...(fork === undefined ? {} : { fork }) };
    const answer = await requireRemote(deps, projectId).publish(request);
    deps.faultPoint("publish-change: before it is recorded");
    return answer.kind === "published" ? { kind: "change-published" } : { kind: "change-diverged", head: answer.head };
  },
  reconcile: async () => ({ kind: "not-done" }),
};
