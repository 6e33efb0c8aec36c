import { type Archive, withoutBroughtBack } from "./archive.ts";
import type { CheckProgress } from "./change/progress.ts";
import type { ChangeState } from "./change/state.ts";
import type { StreamState } from "./evolve.ts";
import { type FleetState, initialFleet } from "./fleet/state.ts";
import type { ProjectState } from "./project/state.ts";
import type { ObservedWindow } from "./rate-window.ts";
import type { LiveReport } from "./session/live-report.ts";
import type { SessionState } from "./session/state.ts";
import { changeStream, projectStream, type StreamId, sessionStream, taskStream } from "./stream.ts";
import type { TaskState } from "./task/state.ts";
import type { World } from "./world.ts";
import { createIndex, LIST, type WorldIndex } from "./world-index.ts";

/** States of streams, with their index. */
export interface IndexedStates {
  readonly states: ReadonlyMap<StreamId, StreamState>;
  readonly index: WorldIndex;
}

export interface WorldSources {
  readonly base: IndexedStates;
  /** States that replace those in `base`. */
  readonly over?: IndexedStates;
  readonly archive: Archive;
  readonly checkProgress: (change: ChangeState | undefined, check: string) => CheckProgress | null;
  readonly liveReport: (sessionId: string) => LiveReport | null;
  readonly dependents: (projectId: string, issue: string) => readonly string[];
  readonly rateWindows: (program: string) => readonly ObservedWindow[];
}

/** These states, with a freshly built index. */
export function indexed(states: ReadonlyMap<StreamId, StreamState>): IndexedStates {
  return { states, index: createIndex(states) };
}

/** The world of these states. */
export function viewWorld(sources: WorldSources): World {
  const { base, over, checkProgress, archive: committed, ...observed } = sources;
  const archive = over === undefined ? committed : withoutBroughtBack(committed, over.states, base.states);
  const get = <T>(stream: StreamId): T | undefined =>
    (over?.states.get(stream) ?? base.states.get(stream) ?? archive.state(stream)) as T | undefined;
  function* list<T>(name: string): Iterable<T> {
    const known = base.index.get(name);
    const changed = over?.index.get(name);
    for (const stream of known ?? []) {
      const state = over?.states.get(stream);
      if (state === undefined) yield base.states.get(stream) as T;
      else if (changed?.has(stream)) yield state as T;
    }
    for (const stream of changed ?? []) if (known?.has(stream) !== true) yield over?.states.get(stream) as T;
  }
  return {
    session: (id) => get<SessionState>(sessionStream(id)),
    sessions: () => list<SessionState>(LIST.sessions),
    activeSessions: (projectId) =>
      list<SessionState>(projectId === undefined ? LIST.activeSessions : LIST.activeSessionsIn(projectId)),
    endedSessions: () => list<SessionState>(LIST.endedSessions),
    change: (key) => get<ChangeState>(changeStream(key)),
    changes: () => list<ChangeState>(LIST.changes),
    activeChanges: (projectId) =>
      list<ChangeState>(projectId === undefined ? LIST.activeChanges : LIST.activeChangesIn(projectId)),
    changesIn: (projectId) => list<ChangeState>(LIST.changesIn(projectId)),
    changesOf: (sessionId) =>
      get<SessionState>(sessionStream(sessionId))?.archivedAt === undefined
        ? list<ChangeState>(LIST.changesOf(sessionId))
        : archive.changesOf(sessionId),
    changesOn: (projectId, branch) => list<ChangeState>(LIST.changesOn(projectId, branch)),
    task: (key) => get<TaskState>(taskStream(key)),
    project: (id) => get<ProjectState>(projectStream(id)),
    projects: () => list<ProjectState>(LIST.projects),
    fleet: () => get<FleetState>("fleet") ?? initialFleet(),
    archive,
    checkProgress: (key, check) => checkProgress(get<ChangeState>(changeStream(key)), check),
    ...observed,
  };
}
