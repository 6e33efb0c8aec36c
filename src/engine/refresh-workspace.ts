import type { SessionState } from "../core/session/state.ts";
import type { EffectDeps } from "./executor.ts";

/** Shows a workspace with a repository of its own where the project's branches are; a failure only leaves it behind. */
export async function refreshWorkspace(deps: EffectDeps, session: SessionState): Promise<void> {
  const { path, state } = session.workspace;
  if (path === null || state !== "ready") return;
  try {
    await deps.workspaceOf(session).refresh?.({ project: deps.projectOf(session), path });
  } catch (error) {
    deps.host.log.warn("a workspace does not show the project's newest commits", {
      session: session.id,
      reason: String(error),
    });
  }
}
