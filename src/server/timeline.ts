import { isInternal } from "../core/event-catalog.ts";
import { changeStream, type StreamId, sessionStream } from "../core/stream.ts";
import type { World } from "../core/world.ts";
import type { Store, StoredEvent } from "../ports/store.ts";
import { pullRequestsOf } from "./find-pull-request.ts";

const PAGE = 1_000_000;
/** How many events of a stream are remembered for pages, and of how many streams. */
const KEPT_EVENTS = 300;
const KEPT_STREAMS = 500;

/** The streams that tell a session's story: its own and those of its pull requests. */
export function streamsOf(world: World, sessionId: string): readonly StreamId[] {
  return [sessionStream(sessionId), ...pullRequestsOf(world, sessionId).map((change) => changeStream(change.key))];
}

/** What happened in these streams, in the order in which it happened. */
export async function readTimeline(
  store: Store,
  streams: readonly StreamId[],
  options: { readonly internal: boolean },
): Promise<readonly StoredEvent[]> {
  const parts = await Promise.all(streams.map((stream) => store.read(0, PAGE, stream)));
  return merge(parts, (event) => options.internal || !isInternal(event.event));
}

/** Reads only what is new since the last time, for pages that are asked for again and again. */
export interface TimelineReader {
  /** The last events of these streams, oldest first. */
  last(streams: readonly StreamId[], count: number): Promise<readonly StoredEvent[]>;
}

/** Timelines with a memory of bounded size. */
export function createTimelineReader(store: Store): TimelineReader {
  const known = new Map<StreamId, { readonly position: number; readonly events: readonly StoredEvent[] }>();
  const read = async (stream: StreamId): Promise<readonly StoredEvent[]> => {
    const before = known.get(stream) ?? { position: 0, events: [] };
    const fresh = await store.read(before.position, PAGE, stream);
    const shown = fresh.filter(({ event }) => !isInternal(event));
    const events = [...before.events, ...shown].slice(-KEPT_EVENTS);
    known.delete(stream);
    known.set(stream, { position: fresh.at(-1)?.position ?? before.position, events });
    for (const oldest of [...known.keys()].slice(0, Math.max(0, known.size - KEPT_STREAMS))) known.delete(oldest);
    return events;
  };
  return {
    last: async (streams, count) => merge(await Promise.all(streams.map(read)), () => true).slice(-count),
  };
}

function merge(
  parts: readonly (readonly StoredEvent[])[],
  isShown: (event: StoredEvent) => boolean,
): readonly StoredEvent[] {
  return parts
    .flat()
    .filter(isShown)
    .sort((a, b) => a.position - b.position);
}
