import { evolveTrack, NO_TRACK, type Track } from "../../core/activity/track.ts";
import { splitStream } from "../../core/stream.ts";
import type { World } from "../../core/world.ts";
import type { Store, StoredEvent } from "../../ports/store.ts";
import { createDayReader, WINDOW_MS } from "./day-reader.ts";

const MAX_OWNERS = 5000;

/** Sessions on the time axis, kept between requests. */
export interface ActivityLog {
  /** By session, as of the end of the log. */
  read(now: number): Promise<ReadonlyMap<string, Track>>;
}

/**
 * Memory is bounded: each session has at most a fixed number of segments, and a session without events for a day is
 * dropped.
 */
export function createActivityLog(world: World, store: Pick<Store, "read">): ActivityLog {
  const tracks = new Map<string, { track: Track; at: number }>();
  const owners = new Map<string, string | null>();
  const apply = ({ stream, event, at }: StoredEvent): void => {
    const sessionId = sessionOf(stream);
    if (sessionId === null) return;
    const known = tracks.get(sessionId)?.track ?? NO_TRACK;
    tracks.set(sessionId, { track: evolveTrack(known, event, at), at });
  };
  const sessionOf = (stream: StoredEvent["stream"]): string | null => {
    const { kind, id } = splitStream(stream);
    if (kind !== "change") return kind === "session" ? id : null;
    // A pull request keeps its session, and searching the archive for each event would be slow.
    if (owners.size > MAX_OWNERS) owners.clear();
    if (!owners.has(id)) owners.set(id, world.change(id)?.sessionId ?? null);
    return owners.get(id) ?? null;
  };
  const catchUp = createDayReader(store, apply);
  return {
    read: async (now) => {
      await catchUp(now);
      for (const [id, { at }] of tracks) if (at < now - WINDOW_MS && isOver(world, id)) tracks.delete(id);
      return new Map([...tracks].map(([id, { track }]) => [id, track]));
    },
  };
}

function isOver(world: World, sessionId: string): boolean {
  const session = world.session(sessionId);
  return session === undefined || session.phase === "stopped";
}
