import type { ChangeState } from "./change/state.ts";
import type { StreamState } from "./evolve.ts";
import { slugify } from "./name.ts";
import type { SessionState } from "./session/state.ts";
import { type StreamId, splitStream } from "./stream.ts";
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

/** The names under which people find a session: id, project with folder or title, and the issue as `#42`. */
export function namesOf({ id, projectId, folder, title, issue }: SessionState): readonly string[] {
  const names = [id, `${projectId}-${folder.replace(/^issue-/, "")}`, `${projectId}-${slugify(title)}`];
  return [...new Set(issue === null ? names : [...names, `#${issue}`])];
}
