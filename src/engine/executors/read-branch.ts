import type { IntentOutcome } from "../../core/intent.ts";
import { type EffectDeps, type Executor, requireSession, type SpecOf } from "../executor.ts";

/** Reads what a session's branch holds against its base; reading twice is fine. */
export const readBranch: Executor<"read-branch"> = {
  outlives: false,
  atOnce: 8,
  execute: read,
  reconcile: async () => ({ kind: "not-done" }),
};

async function read(spec: SpecOf<"read-branch">, _intentId: string, deps: EffectDeps): Promise<IntentOutcome> {
  const session = requireSession(deps, spec.sessionId);
  const { path, generation } = session.workspace;
  const workspace = deps.workspaceOf(session);
  // A clone has its commits to itself until they are brought home.
  if (path !== null && workspace.publish !== undefined) {
    await deps.prepare(session);
    const project = deps.projectOf(session);
    await workspace.publish({ project, sessionId: session.id, path, branch: session.branch, generation });
  }
  const project = deps.scmProjectOf(session.projectId);
  const facts = await deps.scmOf(session.projectId).readBranch(project, session.branch, project.defaultBranch);
  return { kind: "branch-read", facts };
}
