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
  /** Includes the archive, as do `change` and `task`. */
  session(id: string): SessionState | undefined;
  /** The live ones, as in all lists. */
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
  /** For an archived session: those of the archive. */
  changesOf(sessionId: string): Iterable<ChangeState>;
  changesOn(projectId: string, branch: string): Iterable<ChangeState>;
  task(key: string): TaskState | undefined;
  project(id: string): ProjectState | undefined;
  projects(): Iterable<ProjectState>;
  fleet(): FleetState;
  /** The progress of a running check; null: not running. Only for people: nothing is decided by it. */
  checkProgress(key: string, check: string): CheckProgress | null;
  /** The last report of a session's agent; null: nothing beyond the log. Only for people: nothing is decided by it. */
  liveReport(sessionId: string): LiveReport | null;
  /** Open issues that depend on this one, as far as the tracker was read. Only for people: nothing is decided by it. */
  dependents(projectId: string, issue: string): readonly string[];
  /** The rate-limit windows of a program's vendor, as its agents last reported them. */
  rateWindows(program: string): readonly ObservedWindow[];
  /** What has left the live model. */
  readonly archive: Archive;
}

/** Must nothing be sent, started or merged for this project? */
export function isPaused(world: World, projectId: string): boolean {
  return world.fleet().paused || world.project(projectId)?.paused === true;
}

/** Does this session have a pull request for its branch's commits: an open one, or one that ended at that commit? */
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
