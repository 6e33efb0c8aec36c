import { followNeeds, type NeedTrack, NO_NEEDS, type ResolvedNeed } from "../core/need/resolved.ts";
import { type StreamId, splitStream } from "../core/stream.ts";
import type { World } from "../core/world.ts";
import type { Store } from "../ports/store.ts";
import type { ResolvedView } from "../protocol/views/inbox.ts";
import { createDayReader, WINDOW_MS } from "./activity/day-reader.ts";
import { toTime } from "./time.ts";

/** How many are kept, the newest ones. */
const MAX_RESOLVED = 200;

interface Kept {
  readonly stream: StreamId;
  readonly position: number;
  readonly need: ResolvedNeed;
}

/** The needs of the last day that are resolved, newest first; kept between requests. */
export function createResolvedNeeds(
  world: World,
  store: Pick<Store, "read">,
): (now: number) => Promise<readonly ResolvedView[]> {
  const tracks = new Map<StreamId, NeedTrack>();
  let kept: readonly Kept[] = [];
  const catchUp = createDayReader(store, ({ stream, event, at, position }) => {
    const { track, resolved } = followNeeds(tracks.get(stream) ?? NO_NEEDS, event, at);
    if (track === NO_NEEDS) tracks.delete(stream);
    else tracks.set(stream, track);
    if (resolved !== null) kept = [{ stream, position, need: resolved }, ...kept].slice(0, MAX_RESOLVED);
  });
  return async (now) => {
    await catchUp(now);
    kept = kept.filter(({ need }) => need.resolvedAt >= now - WINDOW_MS);
    return kept.flatMap((one) => toView(world, one));
  };
}

function toView(world: World, { stream, position, need }: Kept): readonly ResolvedView[] {
  const { kind, id } = splitStream(stream);
  const change = kind === "change" ? world.change(id) : undefined;
  const session = kind === "session" ? world.session(id) : undefined;
  const subject = change ?? session;
  if (subject === undefined) return [];
  return [
    {
      id: String(position),
      kind: need.kind,
      projectId: subject.projectId,
      sessionId: session?.id ?? change?.sessionId ?? null,
      pullRequest: change?.key ?? null,
      title: subject.title,
      text: need.text,
      how: need.how,
      by: need.by,
      at: toTime(need.at),
      resolvedAt: toTime(need.resolvedAt),
    },
  ];
}
