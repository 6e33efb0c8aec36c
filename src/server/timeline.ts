import { isInternal } from "../core/event-catalog.ts";
import { changeStream, type StreamId, sessionStream } from "../core/stream.ts";
import type { World } from "../core/world.ts";
import type { Store, StoredEvent } from "../ports/store.ts";
import { pullRequestsOf } from "./find-pull-request.ts";
import { createPace } from "./read-log.ts";
import { readNewest } from "./read-streams.ts";

/** A timeline has the last so many events; `GET /api/events` has all. */
const MAX_EVENTS = 20_000;

/** The streams of a session's timeline: its own and those of its pull requests. */
export function streamsOf(world: World, sessionId: string): readonly StreamId[] {
  return [sessionStream(sessionId), ...pullRequestsOf(world, sessionId).map((change) => changeStream(change.key))];
}

/** What happened in these streams, in order: the last events. */
export function readTimeline(
  store: Pick<Store, "readBefore">,
  streams: readonly StreamId[],
  { internal, count = MAX_EVENTS }: { readonly internal: boolean; readonly count?: number },
): Promise<readonly StoredEvent[]> {
  const isWanted = ({ event }: StoredEvent): boolean => internal || !isInternal(event);
  return readNewest(store, { streams, until: Number.MAX_SAFE_INTEGER - 1, pace: createPace(), count, isWanted });
}
