import type { SessionState } from "../core/session/state.ts";
import type { Activity } from "./activity.ts";
import { createCoalescer } from "./coalesce.ts";
import type { EffectDeps } from "./executor.ts";
import type { Loop } from "./loop.ts";
import { refreshWorkspace } from "./refresh-workspace.ts";
import { repeat } from "./repeat.ts";

const POLL_MS = 15_000;
/** Between turns, a workspace is inspected only in one of this many rounds. */
const RESTING_ROUNDS = 4;

export interface WorkspaceObserver {
  /** Inspects one session's workspace now. */
  inspect(sessionId: string): Promise<void>;
  close(): void;
}

/** Notices folders and branches that were removed by hand, and worktrees that left their branch. Starts no process. */
export function createWorkspaceObserver(loop: Loop, deps: EffectDeps, activity: Activity): WorkspaceObserver {
  const inspectOnce = async (sessionId: string): Promise<void> => {
    const session = deps.session(sessionId);
    if (session === undefined || !isWatched(session) || session.workspace.path === null) return;
    const { generation } = session.workspace;
    await refreshWorkspace(deps, session);
    const seen = await deps.workspaceOf(session).inspect({
      project: deps.projectOf(session),
      sessionId,
      path: session.workspace.path,
      branch: session.branch,
      generation,
    });
    if (seen.kind === "unknown") return;
    const on = seen.kind === "ready" ? (seen.on ?? null) : null;
    if (seen.kind === session.workspace.state && on === (session.workspace.elsewhere ?? null)) return;
    const evidence = seen.kind === "ready" ? "" : seen.evidence;
    await loop.submit({
      input: { type: "workspace.inspected", sessionId, generation, condition: seen.kind, evidence, on },
    });
  };

  // Concurrent callers share an inspection.
  const inspections = createCoalescer(inspectOnce, activity);

  let round = 0;
  const inspectAll = async (): Promise<void> => {
    round += 1;
    for (const session of [...loop.world.view.activeSessions()]) {
      const isDue = session.turn !== null || round % RESTING_ROUNDS === 0;
      if (!isDue || !isWatched(session)) continue;
      await inspections
        .request(session.id)
        .catch((error: unknown) =>
          deps.host.log.warn("a workspace could not be inspected", { session: session.id, reason: String(error) }),
        );
    }
  };

  const stop = repeat({ clock: deps.host.clock, activity, pauseMs: POLL_MS, work: inspectAll });
  return {
    inspect: inspections.request,
    close: () => {
      inspections.close();
      stop();
    },
  };
}

function isWatched(session: SessionState): boolean {
  return session.phase === "open" && ["ready", "missing", "branch-missing"].includes(session.workspace.state);
}
