import { type Executor, requireSession } from "../executor.ts";
import { findRefusal } from "../run-hooks.ts";

/** Saves uncommitted work and removes the folder; the workspace itself makes repeating it safe. */
export const removeWorkspace: Executor<"remove-workspace"> = {
  survivesDaemon: false,
  concurrency: 8,
  execute: async (spec, intentId, deps) => {
    const session = requireSession(deps, spec.sessionId);
    await deps.prepare(session);
    const path = session.workspace.path;
    if (path === null) return { kind: "workspace-removed", preservedRef: null };
    const text = `the worktree of ${session.id} is about to be removed`;
    const refusal = await findRefusal(session, { point: "before-cleanup", text, intentId }, deps);
    if (refusal !== null) return { kind: "workspace-kept", reason: refusal };
    const outcome = await deps.workspaceOf(session).remove({
      project: deps.projectOf(session),
      sessionId: session.id,
      path,
      branch: session.branch,
      generation: spec.generation,
      env: await deps.projectEnvironment(session.projectId, session.id),
      enclose: deps.encloserOf(session),
    });
    if (outcome.kind === "kept") return { kind: "workspace-kept", reason: outcome.reason };
    await deps.dropTemp(session.id);
    return { kind: "workspace-removed", preservedRef: outcome.preservedRef };
  },
  reconcile: async () => ({ kind: "not-done" }),
};
