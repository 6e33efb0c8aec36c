import type { ChangeState } from "./change/state.ts";
import type { StreamState } from "./evolve.ts";
import { slugify } from "./name.ts";
import type { SessionState } from "./session/state.ts";
import { type StreamId, splitStream } from "./stream.ts";
import type { TaskState } from "./task/state.ts";

/** What has left the live model, read when somebody asks for it. Lists are in the order in which sessions and changes began. */
export interface Archive {
  state(stream: StreamId): StreamState | undefined;
  /** `since`: only those that something happened to at or after this time. */
  sessions(filter: { readonly projectId?: string | undefined; readonly since?: number }): readonly SessionState[];
  /** The sessions that something happened to last, newest first. */
  latestSessions(count: number): readonly SessionState[];
  /** Sessions with a name that begins like this (see `namesOf`): the first few in the order of their names. */
  sessionsNamed(beginning: string): readonly SessionState[];
  changes(filter: { readonly projectId?: string | undefined }): readonly ChangeState[];
  changesOf(sessionId: string): readonly ChangeState[];
  changesOn(projectId: string, branch: string): readonly ChangeState[];
  /** The highest number of a project's changes; 0: there is none. */
  lastNumber(projectId: string): number;
  /** How many changes of a project were merged after this time. */
  countMerged(projectId: string, after: number): number;
}

/** Is a stream with this state in the archive? A task is there whenever nobody holds it. */
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
