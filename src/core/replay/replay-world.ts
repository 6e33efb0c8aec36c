import type { Archive } from "../archive.ts";
import type { Emitted, EventType } from "../event.ts";
import { evolve, type StreamState } from "../evolve.ts";
import type { StreamId } from "../stream.ts";
import type { World } from "../world.ts";
import { createIndex, updateIndex } from "../world-index.ts";
import { viewWorld } from "../world-view.ts";

/** A world built from events alone. */
export interface ReplayWorld {
  readonly view: World;
  apply(emitted: Emitted, at: number): void;
}

/** Creates a world, empty unless states are given. It archives nothing: decisions are the same with and without an archive. */
export function createReplayWorld(initial: ReadonlyMap<StreamId, StreamState> = new Map()): ReplayWorld {
  const states = new Map(initial);
  const index = createIndex(states);
  const view = viewWorld({
    base: { states, index },
    archive: EMPTY_ARCHIVE,
    checkProgress: () => null,
    liveReport: () => null,
    dependents: () => [],
    rateWindows: () => [],
  });
  return {
    view,
    apply: (emitted, at) => {
      const before = states.get(emitted.stream);
      const after = foldEvent(states, emitted, at);
      if (after !== undefined && after !== before) updateIndex(index, emitted.stream, { before, after });
    },
  };
}

/** Adds one event to these states, and returns the new state of its stream. Nothing is archived. */
export function foldEvent(
  states: Map<StreamId, StreamState>,
  { stream, event }: Emitted,
  at: number,
): StreamState | undefined {
  const before = states.get(stream);
  if (ARCHIVING.includes(event.type)) return before;
  const after = evolve(stream, before, event, at);
  if (after !== undefined && after !== before) states.set(stream, after);
  return after;
}

const ARCHIVING: readonly EventType[] = [
  "session.archived",
  "session.unarchived",
  "change.archived",
  "change.unarchived",
];

const EMPTY_ARCHIVE: Archive = {
  state: () => undefined,
  sessions: () => [],
  latestSessions: () => [],
  sessionsNamed: () => [],
  changes: () => [],
  changesOf: () => [],
  changesOn: () => [],
  changesNumbered: () => [],
  lastNumber: () => 0,
  countMerged: () => 0,
};
