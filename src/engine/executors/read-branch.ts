import type { IntentOutcome } from "../../core/intent.ts";
import type { SessionState } from "../../core/session/state.ts";
import type { WorkspaceRef } from "../../ports/workspace.ts";
import { compareBranch } from "../compare-branch.ts";
import { countChanges } from "../count-changes.ts";

import { type EffectDeps, type Executor, requireSession, type SpecOf } from "../executor.ts";

/** Reads how a session's branch compares to its base; reading twice is fine. */
export const readBranch: Executor<"read-branch"> = {
  survivesDaemon: false,
  concurrency: 8,
  execute: read,
  reconcile: async () => ({ kind: "not-done" }),
};

async function read(spec: SpecOf<"read-branch">, _intentId: string, deps: EffectDeps): Promise<IntentOutcome> {
  const session = requireSession(deps, spec.sessionId);
  const workspace = deps.workspaceOf(session);
  await deps.prepare(session);
  const ref = workspaceRef(deps, session);
  // A clone's commits exist only there until they are copied to the project.
  if (ref !== null) await workspace.publish?.(ref);
  const project = deps.scmProjectOf(session.projectId);
  const scm = deps.scmOf(session.projectId);
  const branch = await compareBranch(scm, project, session);
  if (branch === null) return { kind: "branch-read", facts: null };
  const facts = { ...branch, ...(await countChanges({ scm, project, session, branch })) };
  if (ref === null) return { kind: "branch-read", facts };
  // Commits count even without a status, such as for a folder that git may not read.
  const uncommitted = await workspace.readChanges(ref).catch(() => undefined);
  return { kind: "branch-read", facts: uncommitted === undefined ? facts : { ...facts, uncommitted } };
}

// null: the session has no folder.
function workspaceRef(deps: EffectDeps, session: SessionState): WorkspaceRef | null {
  const { path, generation } = session.workspace;
  if (path === null) return null;
  return { project: deps.projectOf(session), sessionId: session.id, path, branch: session.branch, generation };
}
