import type { SessionState } from "../core/session/state.ts";
import type { EffectDeps } from "./executor.ts";
import type { Loop } from "./loop.ts";

const POLL_MS = 15_000;

export interface WorkspaceObserver {
  /** Inspects one session's workspace now. */
  inspect(sessionId: string): Promise<void>;
  close(): void;
}

/** Notices folders and branches that were removed by hand. Starts no process. */
export function createWorkspaceObserver(loop: Loop, deps: EffectDeps): WorkspaceObserver {
  let cancel = (): void => undefined;

  const inspect = async (sessionId: string): Promise<void> => {
    const session = deps.session(sessionId);
    if (session === undefined || !isWatched(session) || session.workspace.path === null) return;
    const { generation } = session.workspace;
    const seen = await deps.workspaceOf(session).inspect({
      project: deps.projectOf(session),
      sessionId,
      path: session.workspace.path,
      branch: session.branch,
      generation,
    });
    if (seen.kind === "unknown") return;
    if (seen.kind === session.workspace.state) return;
    const evidence = seen.kind === "ready" ? "" : seen.evidence;
    await loop.submit({
      input: { type: "workspace.inspected", sessionId, generation, condition: seen.kind, evidence },
    });
  };

  const inspectAll = async (): Promise<void> => {
    for (const session of loop.world.view.sessions()) {
      if (!isWatched(session)) continue;
      await inspect(session.id).catch((error: unknown) =>
        deps.host.log.warn("a workspace could not be inspected", { session: session.id, reason: String(error) }),
      );
    }
  };

  const poll = (): void => {
    cancel = deps.host.clock.after(POLL_MS, () => {
      void inspectAll().finally(poll);
    });
  };
  poll();
  return { inspect, close: () => cancel() };
}

function isWatched(session: SessionState): boolean {
  return session.phase === "open" && ["ready", "missing", "branch-missing"].includes(session.workspace.state);
}
