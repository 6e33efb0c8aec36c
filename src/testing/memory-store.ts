import { isArchived } from "../core/archive.ts";
import { AoError } from "../core/errors.ts";
import type { StreamState } from "../core/evolve.ts";
import type { StreamId } from "../core/stream.ts";
import type { Batch, OpenIntent, Store, StoredEvent } from "../ports/store.ts";
import { createMemoryArchive } from "./memory-archive.ts";

/** A store without a disk; it passes the store's contract suite. */
export function createMemoryStore(): Store {
  const events: StoredEvent[] = [];
  const states = new Map<StreamId, StreamState>();
  const archived = new Map<StreamId, StreamState>();
  const intents = new Map<string, OpenIntent>();
  const finished = new Set<string>();
  const positions = new Map<string, number>();
  const receipts = new Map<string, string>();
  const blobs = new Map<string, string>();
  const keep = (batch: Batch): void => {
    for (const row of batch.states) keepState(states, archived, row);
    for (const intent of batch.recorded) intents.set(intent.id, intent);
    for (const id of batch.started) {
      const intent = intents.get(id);
      if (intent !== undefined) intents.set(id, { ...intent, status: "started" });
    }
    for (const id of [...batch.finished, ...batch.forgotten]) intents.delete(id);
    for (const id of batch.finished) finished.add(id);
    for (const { source, position } of batch.positions) positions.set(source, position);
    for (const { key, result } of batch.receipts) receipts.set(key, result);
  };
  return {
    append: async (batch, expectedPosition) => {
      if (events.length !== expectedPosition) {
        throw new AoError({ code: "conflict", message: "another writer is at work" });
      }
      const taken = batch.recorded.find(({ id }) => intents.has(id) || finished.has(id));
      if (taken !== undefined) throw new AoError({ code: "internal", message: `intent ${taken.id} is known already` });
      const stored = batch.events.map((event, index) => ({ position: events.length + index + 1, ...event }));
      events.push(...stored);
      keep(batch);
      return stored;
    },
    load: async () => ({
      states: new Map(states),
      intents: [...intents.values()],
      positions: new Map(positions),
      lastPosition: events.length,
      lastAt: events.at(-1)?.at ?? 0,
    }),
    archive: createMemoryArchive(archived),
    ...readingOf(events),
    isFinished: async (id) => finished.has(id),
    receipt: async (key) => receipts.get(key) ?? null,
    putBlob: async (text) => {
      const key = `${text.length}:${text.slice(0, 32)}:${blobs.size}`;
      const known = [...blobs].find(([, value]) => value === text)?.[0];
      blobs.set(known ?? key, text);
      return known ?? key;
    },
    getBlob: async (hash) => blobs.get(hash) ?? null,
    close: async () => undefined,
  };
}

function readingOf(events: readonly StoredEvent[]): Pick<Store, "read" | "readBefore"> {
  return {
    read: async (from, limit, stream) =>
      events
        .filter((event) => event.position > from && (stream === undefined || event.stream === stream))
        .slice(0, limit),
    readBefore: async (before, limit, stream) =>
      events
        .filter((event) => event.position < before && event.stream === stream)
        .reverse()
        .slice(0, limit),
  };
}

function keepState(
  states: Map<StreamId, StreamState>,
  archived: Map<StreamId, StreamState>,
  { stream, state }: Batch["states"][number],
): void {
  const [here, there] = isArchived(stream, state) ? [archived, states] : [states, archived];
  here.set(stream, state);
  there.delete(stream);
}
