import { isArchived } from "../../src/core/archive.ts";
import type { StreamState } from "../../src/core/evolve.ts";
import type { StreamId } from "../../src/core/stream.ts";
import { createWorldState, type WorldState } from "../../src/engine/world-state.ts";
import { createMemoryArchive } from "../../src/testing/memory-archive.ts";

/** A world with its archive in memory, as the store would keep it. */
export interface ArchivingWorld extends WorldState {
  readonly archived: ReadonlyMap<StreamId, StreamState>;
  /** Live and archived states together. */
  everything(): ReadonlyMap<StreamId, StreamState>;
}

/** The world made of these states, with finished ones in its archive from the start. */
export function createArchivingWorld(states: ReadonlyMap<StreamId, StreamState> = new Map()): ArchivingWorld {
  const archived = new Map([...states].filter(([stream, state]) => isArchived(stream, state)));
  const live = new Map([...states].filter(([stream]) => !archived.has(stream)));
  const world = createWorldState(live, { archive: createMemoryArchive(archived) });
  return {
    ...world,
    archived,
    everything: () => new Map([...world.all(), ...archived]),
    adopt: (draft) => {
      world.adopt(draft);
      for (const [stream, state] of draft.changed) {
        if (isArchived(stream, state)) archived.set(stream, state);
        else archived.delete(stream);
      }
    },
  };
}
