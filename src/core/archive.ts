import type { ChangeState } from "./change/state.ts";
import type { StreamState } from "./evolve.ts";
import { slugify } from "./name.ts";
import type { SessionState } from "./session/state.ts";
import { changeStream, type StreamId, sessionStream, splitStream } from "./stream.ts";
import type { TaskState } from "./task/state.ts";

/** What has left the live model, read on demand. Lists are in the order in which sessions and changes started. */
export interface Archive {
  state(stream: StreamId): StreamState | undefined;
  /** `since`: only those with an event at or after this time. */
  sessions(filter: { readonly projectId?: string | undefined; readonly since?: number }): readonly SessionState[];
  /** The sessions with the latest events, newest first. */
  latestSessions(count: number): readonly SessionState[];
  /** Sessions with a name that starts like this (see `namesOf`): the first few in name order. */
  sessionsNamed(beginning: string): readonly SessionState[];
  changes(filter: { readonly projectId?: string | undefined }): readonly ChangeState[];
  changesOf(sessionId: string): readonly ChangeState[];
  changesOn(projectId: string, branch: string): readonly ChangeState[];
  changesNumbered(projectId: string, number: number): readonly ChangeState[];
  /** The highest number of a project's changes; 0: none. */
  lastNumber(projectId: string): number;
  /** How many changes of a project were merged after this time. */
  countMerged(projectId: string, after: number): number;
}

/** Is a stream with this state in the archive? A task is there while nobody holds it. */
export function isArchived(stream: StreamId, state: StreamState): boolean {
  switch (splitStream(stream).kind) {
    case "session":
    case "change":
      return (state as SessionState | ChangeState).archivedAt !== undefined;
    case "task":
      return (state as TaskState).claimedBy === null;
    case "project":
    case "fleet":
      return false;
  }
}

/** The archive during a commit: what this has brought back to life is not in it any more. */
export function withoutBroughtBack(
  archive: Archive,
  changed: ReadonlyMap<StreamId, StreamState>,
  live: ReadonlyMap<StreamId, StreamState>,
): Archive {
  const sessions = (all: readonly SessionState[]): readonly SessionState[] =>
    all.filter(({ id }) => !changed.has(sessionStream(id)));
  const changes = (all: readonly ChangeState[]): readonly ChangeState[] =>
    all.filter(({ key }) => !changed.has(changeStream(key)));
  return {
    state: (stream) => (changed.has(stream) ? undefined : archive.state(stream)),
    sessions: (filter) => sessions(archive.sessions(filter)),
    latestSessions: (count) => sessions(archive.latestSessions(count)),
    sessionsNamed: (beginning) => sessions(archive.sessionsNamed(beginning)),
    changes: (filter) => changes(archive.changes(filter)),
    changesOf: (sessionId) => changes(archive.changesOf(sessionId)),
    changesOn: (projectId, branch) => changes(archive.changesOn(projectId, branch)),
    changesNumbered: (projectId, number) => changes(archive.changesNumbered(projectId, number)),
    lastNumber: (projectId) => archive.lastNumber(projectId),
    countMerged: (projectId, after) => {
      let count = archive.countMerged(projectId, after);
      for (const stream of changed.keys()) {
        if (splitStream(stream).kind !== "change" || live.has(stream)) continue;
        const change = archive.state(stream) as ChangeState | undefined;
        if (change?.projectId === projectId && (change.merged?.at ?? 0) > after) count -= 1;
      }
      return count;
    },
  };
}

/** The names under which people find a session: id, project with folder or title, and the issue as `#42`. */
export function namesOf({ id, projectId, folder, title, issue }: SessionState): readonly string[] {
  const names = [id, `${projectId}-${folder.replace(/^issue-/, "")}`, `${projectId}-${slugify(title)}`];
  return [...new Set(issue === null ? names : [...names, `#${issue}`])];
}
