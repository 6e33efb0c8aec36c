import type { Archive } from "./archive.ts";
import type { CheckProgress } from "./change/progress.ts";
import type { ChangeState } from "./change/state.ts";
import type { FleetState } from "./fleet/state.ts";
import type { ProjectState } from "./project/state.ts";
import type { ObservedWindow } from "./rate-window.ts";
import type { LiveReport } from "./session/live-report.ts";
import type { SessionState } from "./session/state.ts";
import type { TaskState } from "./task/state.ts";

/** A read-only view of every stream's state; decisions see nothing else. */
export interface World {
  /** Also one of the archive, as `change` and `task` do. */
  session(id: string): SessionState | undefined;
  /** The live ones, as all lists do. */
  sessions(): Iterable<SessionState>;
  /** Sessions for which something can still follow without a command, of one project or of all. */
  activeSessions(projectId?: string): Iterable<SessionState>;
  /** Live sessions that are stopped, with nothing left to follow. */
  endedSessions(): Iterable<SessionState>;
  change(key: string): ChangeState | undefined;
  changes(): Iterable<ChangeState>;
  /** Changes for which something can still follow without a command, of one project or of all. */
  activeChanges(projectId?: string): Iterable<ChangeState>;
  changesIn(projectId: string): Iterable<ChangeState>;
  /** Of an archived session: those of the archive. */
  changesOf(sessionId: string): Iterable<ChangeState>;
  changesOn(projectId: string, branch: string): Iterable<ChangeState>;
  task(key: string): TaskState | undefined;
  project(id: string): ProjectState | undefined;
  projects(): Iterable<ProjectState>;
  fleet(): FleetState;
  /** How far a running check is; null: it does not run. For people only: nothing is decided by it. */
  checkProgress(key: string, check: string): CheckProgress | null;
  /** What a session's agent reported last; null: nothing since the log knows. For people only: nothing is decided by it. */
  liveReport(sessionId: string): LiveReport | null;
  /** Open issues that depend on this one, as far as the tracker was read. For people only: nothing is decided by it. */
  dependents(projectId: string, issue: string): readonly string[];
  /** Of the vendor behind a program, as its agents reported them last. */
  rateWindows(program: string): readonly ObservedWindow[];
  /** What has left the live model. */
  readonly archive: Archive;
}

/** Is nothing to be sent, spawned or merged for this project? */
export function isPaused(world: World, projectId: string): boolean {
  return world.fleet().paused || world.project(projectId)?.paused === true;
}

/** Has this session a pull request for what its branch holds: an open one, or one that ended at that commit? */
export function hasChange(world: World, session: SessionState): boolean {
  for (const { phase, head } of world.changesOf(session.id)) {
    if (phase === "open" || head === session.branchSeen?.head) return true;
  }
  return false;
}

/** Is there an open pull request of this session? */
export function hasOpenChange(world: World, sessionId: string): boolean {
  for (const change of world.changesOf(sessionId)) if (change.phase === "open") return true;
  return false;
}
