import { isArchived } from "./archive.ts";
import type { ChangeState } from "./change/state.ts";
import type { StreamState } from "./evolve.ts";
import type { SessionState } from "./session/state.ts";
import { type StreamId, splitStream } from "./stream.ts";

/** Streams by list name; maintained by `updateIndex`, so that nobody has to search through all streams. */
export type WorldIndex = Map<string, Set<StreamId>>;

/** The names of the lists. */
export const LIST = {
  sessions: "sessions",
  /** Something can still follow for them without a command. */
  activeSessions: "sessions/active",
  activeSessionsIn: (projectId: string) => `sessions/active/${projectId}`,
  endedSessions: "sessions/ended",
  changes: "changes",
  activeChanges: "changes/active",
  activeChangesIn: (projectId: string) => `changes/active/${projectId}`,
  changesIn: (projectId: string) => `changes/in/${projectId}`,
  changesOf: (sessionId: string) => `changes/of/${sessionId}`,
  changesOn: (projectId: string, branch: string) => `changes/on/${projectId}\n${branch}`,
  projects: "projects",
} as const;

/** Can anything still follow for this session without a command? */
export function isActiveSession(session: SessionState): boolean {
  return session.phase !== "stopped" || Object.keys(session.problems).length > 0 || hasCommands(session);
}

/** Can anything still follow for this change without a command: a merge, a message about a problem, its clean-up? */
export function isActiveChange(change: ChangeState): boolean {
  if (change.phase === "open" || Object.keys(change.problems).length > 0 || hasCommands(change)) return true;
  if ((change.forge?.writes.length ?? 0) > 0) return true;
  if (change.phase !== "merged") return false;
  const isBranchDue = change.merged?.deleteAfter === true && change.branchFate === null;
  return isBranchDue || (change.issue !== null && change.issueFate === null);
}

function hasCommands({ commands = [] }: SessionState | ChangeState): boolean {
  return commands.length > 0;
}

/** The lists that contain a stream with this state. */
export function listsOf(stream: StreamId, state: StreamState | undefined): readonly string[] {
  if (state === undefined || isArchived(stream, state)) return [];
  switch (splitStream(stream).kind) {
    case "session":
      return listsOfSession(state as SessionState);
    case "change":
      return listsOfChange(state as ChangeState);
    case "project":
      return [LIST.projects];
    case "task":
    case "fleet":
      return [];
  }
}

function listsOfSession(session: SessionState): readonly string[] {
  return isActiveSession(session)
    ? [LIST.sessions, LIST.activeSessions, LIST.activeSessionsIn(session.projectId)]
    : [LIST.sessions, LIST.endedSessions];
}

function listsOfChange(change: ChangeState): readonly string[] {
  const { projectId, branch, sessionId } = change;
  const lists = [LIST.changes, LIST.changesIn(projectId), LIST.changesOn(projectId, branch)];
  if (sessionId !== null) lists.push(LIST.changesOf(sessionId));
  if (isActiveChange(change)) lists.push(LIST.activeChanges, LIST.activeChangesIn(projectId));
  return lists;
}

/** Records that the state of a stream changed. */
export function updateIndex(
  index: WorldIndex,
  stream: StreamId,
  states: { readonly before: StreamState | undefined; readonly after: StreamState | undefined },
): void {
  const before = listsOf(stream, states.before);
  const after = listsOf(stream, states.after);
  for (const name of before) if (!after.includes(name)) remove(index, name, stream);
  for (const name of after) if (!before.includes(name)) add(index, name, stream);
}

function add(index: WorldIndex, name: string, stream: StreamId): void {
  const list = index.get(name);
  if (list === undefined) index.set(name, new Set([stream]));
  else list.add(stream);
}

function remove(index: WorldIndex, name: string, stream: StreamId): void {
  const list = index.get(name);
  list?.delete(stream);
  if (list?.size === 0) index.delete(name);
}

/** The index of these streams, built from scratch. */
export function createIndex(states: ReadonlyMap<StreamId, StreamState>): WorldIndex {
  const index: WorldIndex = new Map();
  for (const [stream, after] of states) updateIndex(index, stream, { before: undefined, after });
  return index;
}
