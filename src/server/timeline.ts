import { isInternal } from "../core/event-catalog.ts";
import { changeStream, type StreamId, sessionStream } from "../core/stream.ts";
import type { World } from "../core/world.ts";
import type { Store, StoredEvent } from "../ports/store.ts";
import { pullRequestsOf } from "./find-pull-request.ts";

const PAGE = 1_000_000;

/** The streams of a session's timeline: its own and those of its pull requests. */
export function streamsOf(world: World, sessionId: string): readonly StreamId[] {
  return [sessionStream(sessionId), ...pullRequestsOf(world, sessionId).map((change) => changeStream(change.key))];
}

/** What happened in these streams, in order. */
export async function readTimeline(
  store: Store,
  streams: readonly StreamId[],
  options: { readonly internal: boolean },
): Promise<readonly StoredEvent[]> {
  const parts = await Promise.all(streams.map((stream) => store.read(0, PAGE, stream)));
  return parts
    .flat()
    .filter(({ event }) => options.internal || !isInternal(event))
    .sort((a, b) => a.position - b.position);
}
