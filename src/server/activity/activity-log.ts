import { evolveTrack, NO_TRACK, type Track } from "../../core/activity/track.ts";
import { splitStream } from "../../core/stream.ts";
import type { World } from "../../core/world.ts";
import type { Store, StoredEvent } from "../../ports/store.ts";

/** How far back the time axis goes. */
export const WINDOW_MS = 24 * 60 * 60_000;

const PAGE = 2000;
const MAX_OWNERS = 5000;

/** Sessions on the time axis, kept from one request to the next. */
export interface ActivityLog {
  /** By session, as of the end of the log. */
  read(now: number): Promise<ReadonlyMap<string, Track>>;
}

/**
 * Reads the log of the last day on the first request, and only what is new on later ones. Memory is bounded: each session has at most
 * a fixed number of segments, and one that nothing happened to for a day is forgotten.
 */
export function createActivityLog(world: World, store: Pick<Store, "read">): ActivityLog {
  const tracks = new Map<string, { track: Track; at: number }>();
  const owners = new Map<string, string | null>();
  let position: number | null = null;
  const apply = ({ stream, event, at }: StoredEvent): void => {
    const sessionId = sessionOf(stream);
    if (sessionId === null) return;
    const known = tracks.get(sessionId)?.track ?? NO_TRACK;
    tracks.set(sessionId, { track: evolveTrack(known, event, at), at });
  };
  const sessionOf = (stream: StoredEvent["stream"]): string | null => {
    const { kind, id } = splitStream(stream);
    if (kind !== "change") return kind === "session" ? id : null;
    // A pull request keeps its session, and a look into the archive for each event would be slow.
    if (owners.size > MAX_OWNERS) owners.clear();
    if (!owners.has(id)) owners.set(id, world.change(id)?.sessionId ?? null);
    return owners.get(id) ?? null;
  };
  const catchUp = async (now: number): Promise<void> => {
    position ??= await findPosition(store, now - WINDOW_MS);
    for (;;) {
      const page = await store.read(position, PAGE);
      for (const stored of page) apply(stored);
      position = page.at(-1)?.position ?? position;
      if (page.length < PAGE) break;
    }
    for (const [id, { at }] of tracks) if (at < now - WINDOW_MS && isOver(world, id)) tracks.delete(id);
  };
  // Requests at the same time share a reading.
  let reading: Promise<void> = Promise.resolve();
  return {
    read: async (now) => {
      reading = reading.catch(() => undefined).then(() => catchUp(now));
      await reading;
      return new Map([...tracks].map(([id, { track }]) => [id, track]));
    },
  };
}

function isOver(world: World, sessionId: string): boolean {
  const session = world.session(sessionId);
  return session === undefined || session.phase === "stopped";
}

/** The position before the first event of this time or later. Times never go back in a log, so that halving finds it. */
async function findPosition(store: Pick<Store, "read">, since: number): Promise<number> {
  let low = 0;
  let high = 1;
  const atAfter = async (position: number): Promise<number | null> => (await store.read(position, 1))[0]?.at ?? null;
  const isLate = async (position: number): Promise<boolean> => ((await atAfter(position)) ?? since) >= since;
  while (!(await isLate(high))) high *= 2;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await isLate(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
