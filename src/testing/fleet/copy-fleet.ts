import type { ChangeState } from "../../core/change/state.ts";
import type { StreamState } from "../../core/evolve.ts";
import type { SessionState } from "../../core/session/state.ts";
import { changeStream, type StreamId, sessionStream, splitStream } from "../../core/stream.ts";

/** Pull request numbers per copy; no seeded fleet has more. */
const NUMBERS = 10_000;

/** The states of a fleet with every session and pull request repeated: a large fleet takes minutes to seed. */
export function copyFleet(
  states: ReadonlyMap<StreamId, StreamState>,
  times: number,
): ReadonlyMap<StreamId, StreamState> {
  const all = new Map(states);
  for (let copy = 1; copy < times; copy += 1) {
    for (const [stream, state] of states) {
      const { kind } = splitStream(stream);
      if (kind === "session") addSession(all, state as SessionState, copy);
      if (kind === "change") addChange(all, state as ChangeState, copy);
    }
  }
  return all;
}

function addSession(all: Map<StreamId, StreamState>, session: SessionState, copy: number): void {
  const id = idOf(session.id, copy);
  all.set(sessionStream(id), { ...session, id, createdAt: session.createdAt + copy });
}

function addChange(all: Map<StreamId, StreamState>, change: ChangeState, copy: number): void {
  const number = change.number + copy * NUMBERS;
  const key = `${change.projectId}/${number}`;
  const sessionId = change.sessionId === null ? null : idOf(change.sessionId, copy);
  all.set(changeStream(key), { ...change, key, number, sessionId });
}

function idOf(sessionId: string, copy: number): string {
  return `${sessionId}-copy-${copy}`;
}
