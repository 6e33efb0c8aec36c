import type { CheckProgress } from "./change/progress.ts";
import type { ChangeState } from "./change/state.ts";
import type { FleetState } from "./fleet/state.ts";
import type { ProjectState } from "./project/state.ts";
import type { SessionState } from "./session/state.ts";
import type { TaskState } from "./task/state.ts";

/** A read-only view of every stream's state; decisions see nothing else. */
export interface World {
  session(id: string): SessionState | undefined;
  sessions(): Iterable<SessionState>;
  change(key: string): ChangeState | undefined;
  changes(): Iterable<ChangeState>;
  task(key: string): TaskState | undefined;
  project(id: string): ProjectState | undefined;
  projects(): Iterable<ProjectState>;
  fleet(): FleetState;
  /** How far a running check is; null: it does not run. For people only: nothing is decided by it. */
  checkProgress(key: string, check: string): CheckProgress | null;
}

/** Is nothing to be sent, spawned or merged for this project? */
export function isPaused(world: World, projectId: string): boolean {
  return world.fleet().paused || world.project(projectId)?.paused === true;
}

/** Sessions with a pull request for what their branch holds: an open one, or one that was settled at that commit. */
export function sessionsWithChange(world: World): ReadonlySet<string> {
  const sessions = new Set<string>();
  for (const { sessionId, phase, head } of world.changes()) {
    if (sessionId === null) continue;
    if (phase === "open" || head === world.session(sessionId)?.branchSeen?.head) sessions.add(sessionId);
  }
  return sessions;
}

/** Is there an open pull request of this session? */
export function hasOpenChange(world: World, sessionId: string): boolean {
  for (const change of world.changes()) if (change.sessionId === sessionId && change.phase === "open") return true;
  return false;
}
