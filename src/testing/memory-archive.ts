import { type Archive, namesOf } from "../core/archive.ts";
import type { ChangeState } from "../core/change/state.ts";
import type { StreamState } from "../core/evolve.ts";
import type { SessionState } from "../core/session/state.ts";
import type { StreamId } from "../core/stream.ts";

/** The archive of these states, which may change afterwards. */
export function createMemoryArchive(states: ReadonlyMap<StreamId, StreamState>): Archive {
  const ofKind = <T>(prefix: string): readonly T[] =>
    [...states].filter(([stream]) => stream.startsWith(prefix)).map(([, state]) => state as T);
  const allSessions = (): readonly SessionState[] =>
    [...ofKind<SessionState>("session:")].sort((a, b) => a.createdAt - b.createdAt);
  const allChanges = (): readonly ChangeState[] =>
    [...ofKind<ChangeState>("change:")].sort((a, b) => a.openedAt - b.openedAt);
  const changesIn = (projectId: string): readonly ChangeState[] =>
    allChanges().filter((change) => change.projectId === projectId);
  return {
    state: (stream) => states.get(stream),
    sessions: ({ projectId, since = 0 }) =>
      allSessions().filter((one) => (projectId ?? one.projectId) === one.projectId && one.updatedAt >= since),
    latestSessions: (count) => [...allSessions()].sort((a, b) => b.updatedAt - a.updatedAt).slice(0, count),
    sessionsNamed: (beginning) =>
      allSessions().filter((one) => namesOf(one).some((name) => name.startsWith(beginning))),
    changes: ({ projectId }) => (projectId === undefined ? allChanges() : changesIn(projectId)),
    changesOf: (sessionId) => allChanges().filter((change) => change.sessionId === sessionId),
    changesOn: (projectId, branch) => changesIn(projectId).filter((change) => change.branch === branch),
    changesNumbered: (projectId, number) => changesIn(projectId).filter((change) => change.number === number),
    lastNumber: (projectId) => Math.max(0, ...changesIn(projectId).map(({ number }) => number)),
    countMerged: (projectId, after) => changesIn(projectId).filter(({ merged }) => (merged?.at ?? 0) > after).length,
  };
}
