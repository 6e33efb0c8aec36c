import { evolve, type StreamState } from "../../src/core/evolve.ts";
import type { StreamId } from "../../src/core/stream.ts";
import { openSqliteStore } from "../../src/platform/sqlite-store.ts";

/** Rebuilds every state and the open intents from the events alone; returns the differences from the store. */
export async function replayDifferences(database: string): Promise<readonly string[]> {
  const store = openSqliteStore(database);
  try {
    const loaded = await store.load();
    const states = new Map<StreamId, StreamState>();
    const intents = new Map<string, string>();
    const differences: string[] = [];
    let position = 0;
    let at = 0;
    for (;;) {
      const page = await store.read(position, 1000);
      if (page.length === 0) break;
      for (const stored of page) {
        if (stored.position !== position + 1) differences.push(`gap before event ${stored.position}`);
        if (stored.at < at) differences.push(`time runs backwards at ${stored.position}`);
        position = stored.position;
        at = stored.at;
        const next = evolve(stored.stream, states.get(stored.stream), stored.event, stored.at);
        if (next !== undefined) states.set(stored.stream, next);
        applyIntent(intents, stored.event as { type: string; id?: string; outcome?: string });
      }
    }
    for (const stream of new Set([...states.keys(), ...loaded.states.keys()])) {
      const replayed = stable(states.get(stream));
      const live = stable(loaded.states.get(stream) ?? store.archive.state(stream));
      if (replayed !== live) differences.push(`${stream}: replayed ${replayed} but live ${live}`);
    }
    const open = new Map(loaded.intents.map((intent) => [intent.id, intent.status as string]));
    if (stable([...intents].sort()) !== stable([...open].sort())) {
      differences.push(`open intents: replayed ${stable([...intents].sort())} but live ${stable([...open].sort())}`);
    }
    return differences;
  } finally {
    await store.close();
  }
}

function applyIntent(intents: Map<string, string>, event: { type: string; id?: string }): void {
  if (event.id === undefined) return;
  if (event.type === "intent.recorded") intents.set(event.id, "pending");
  if (event.type === "intent.started") intents.set(event.id, "started");
  if (event.type === "intent.finished" || event.type === "intent.withdrawn") intents.delete(event.id);
}

function stable(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    item !== null && typeof item === "object" && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
