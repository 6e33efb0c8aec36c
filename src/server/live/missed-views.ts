import { shortHash } from "../../core/hash.ts";
import type { World } from "../../core/world.ts";
import type { Store } from "../../ports/store.ts";
import type { LivePlace } from "./live-id.ts";
import { type ViewKey, viewsTouchedBy } from "./touched-views.ts";

/** A client that missed more than this reloads the lists, which is cheaper. */
const MAX_MISSED = { events: 5000, views: 256 };

export interface Missed {
  readonly keys: readonly ViewKey[];
  /** The last position that was read for it. */
  readonly read: number;
  /** Why the client must reload everything; null: it need not. */
  readonly reset: string | null;
}

/** For a client that starts now. */
export const NOTHING_MISSED: Missed = { keys: [], read: Number.POSITIVE_INFINITY, reset: null };

/** What changed since a client was connected, from the log. */
export async function readMissed(
  from: LivePlace,
  log: {
    readonly store: Pick<Store, "read">;
    readonly mark: string | null;
    readonly world: World;
    readonly last: number;
  },
): Promise<Missed> {
  const reset = (reason: string): Missed => ({ ...NOTHING_MISSED, reset: reason });
  if (from.store !== null && from.store !== log.mark) return reset("another-store");
  if (from.position > log.last) return reset("another-store");
  const events = await log.store.read(from.position, MAX_MISSED.events + 1);
  if (events.length > MAX_MISSED.events) return reset("too-far-behind");
  const keys = [...viewsTouchedBy(events, log.world)];
  if (keys.length > MAX_MISSED.views) return reset("too-far-behind");
  return { keys, read: events.at(-1)?.position ?? from.position, reset: null };
}

/** Identifies a store: positions of another one, such as a rebuilt one, mean other events. */
export function createStoreMark(store: Pick<Store, "read">): () => Promise<string | null> {
  let mark: string | null = null;
  return async () => {
    if (mark !== null) return mark;
    const [first] = await store.read(0, 1);
    mark = first === undefined ? null : shortHash(JSON.stringify(first)).slice(0, 8);
    return mark;
  };
}
