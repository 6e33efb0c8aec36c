import type { CreateWorkspace, WorkspaceInfo } from "../../ports/workspace.ts";
import { type EffectDeps, type Executor, requireSession, type SpecOf } from "../executor.ts";

type Spec = SpecOf<"create-workspace">;

/** Makes the session's folder and branch, or brings back what was preserved. */
export const createWorkspace: Executor<"create-workspace"> = {
  survivesDaemon: false,
  concurrency: 8,
  execute: async (spec, intentId, deps) => {
    const session = requireSession(deps, spec.sessionId);
    await deps.prepare(session);
    return toOutcome(await deps.workspaceOf(session).create(requestOf(spec, intentId, deps, 1)));
  },
  reconcile: async (spec, intentId, deps) => {
    const session = requireSession(deps, spec.sessionId);
    await deps.prepare(session);
    const answer = await deps.workspaceOf(session).reconcileCreate(requestOf(spec, intentId, deps, 2));
    if (answer.kind === "done") return { kind: "done", outcome: toOutcome(answer.value) };
    return answer;
  },
};

function requestOf(spec: Spec, intentId: string, deps: EffectDeps, attempt: number): CreateWorkspace {
  const session = requireSession(deps, spec.sessionId);
  return {
    project: deps.projectOf(session),
    sessionId: session.id,
    name: session.folder,
    branch: session.branch,
    generation: spec.generation,
    base: session.base ?? undefined,
    restore: spec.restore,
    intentId,
    attempt,
  };
}

function toOutcome(info: WorkspaceInfo): { readonly kind: "workspace-created" } & WorkspaceInfo {
  return { kind: "workspace-created", ...info };
}
