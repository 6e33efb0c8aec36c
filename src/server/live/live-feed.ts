import { createWakeUp } from "../wake-up.ts";
import { encodeFrames, formatFrame } from "./frames.ts";
import type { LiveHub } from "./live-hub.ts";
import type { LivePlace } from "./live-id.ts";
import type { ViewKey } from "./touched-views.ts";

const HEARTBEAT_MS = 15_000;
/** How many views a late client gets at once. */
const CHUNK = 32;
/** A browser reconnects after this time. */
const RETRY_MS = 1000;

/** What one client gets, as fast as it reads. */
export interface LiveFeed {
  /** Waits for the next bytes; null: the feed was closed. */
  next(): Promise<Uint8Array | null>;
  close(): void;
}

interface Reader {
  number: number;
  place: LivePlace;
  /** Views that it missed because it was disconnected or too slow, as of `place`. */
  late: ViewKey[];
  isReset: string | null;
}

/**
 * The stream for one client. A client that keeps up gets every batch. For one that does not, only the names of the
 * changed views are kept: it gets the current version of these views. So a client that never reads costs next to
 * nothing.
 */
export function openLiveFeed(hub: LiveHub, from: LivePlace | null, heartbeatMs = HEARTBEAT_MS): LiveFeed {
  const { wake, wait } = createWakeUp();
  const signals = new Map<string, string>();
  const unlisten = hub.listen({
    wake,
    signal: (frames) => {
      for (const [id, frame] of frames) signals.set(id, frame);
      wake();
    },
  });
  let isClosed = false;
  let reader: Reader | null = null;
  const begin = async (): Promise<Uint8Array> => {
    const { number, place, keys, reset } = await hub.begin(from);
    reader = { number, place, late: [...keys], isReset: reset };
    const hello = `retry: ${RETRY_MS}\n\n`;
    // A client that is disconnected before the first change also has to know its position.
    if (from !== null) return encodeFrames([hello], null);
    return encodeFrames([hello, formatFrame("start", { position: place.position })], place);
  };
  const takeSignals = (): Uint8Array => {
    const bytes = encodeFrames([...signals.values()], null);
    signals.clear();
    return bytes;
  };
  return {
    next: async () => {
      if (reader === null) return begin();
      while (!isClosed) {
        const bytes = readOn(hub, reader);
        if (bytes !== null) return bytes;
        if (signals.size > 0) return takeSignals();
        if (!(await wait(heartbeatMs)) && !isClosed) return encodeFrames([": still here\n\n"], null);
      }
      return null;
    },
    close: () => {
      isClosed = true;
      unlisten();
      wake();
    },
  };
}

/** The next bytes for a client; null: it is up to date. */
function readOn(hub: LiveHub, reader: Reader): Uint8Array | null {
  if (reader.isReset !== null) return reset(hub, reader, reader.isReset);
  if (reader.late.length > 0) return readLate(hub, reader);
  const batch = hub.batch(reader.number);
  if (batch !== undefined) {
    reader.number += 1;
    reader.place = { ...reader.place, position: batch.position };
    return batch.bytes;
  }
  const end = hub.end();
  if (reader.number >= end.number) return null;
  const changed = hub.changedAfter(reader.place.position);
  if (changed === null) return reset(hub, reader, "too-far-behind");
  Object.assign(reader, { ...end, late: [...changed] });
  return readLate(hub, reader);
}

function readLate(hub: LiveHub, reader: Reader): Uint8Array {
  const keys = reader.late.splice(0, CHUNK);
  const frames = keys.flatMap((key) => hub.frame(key, reader.place.position) ?? []);
  return encodeFrames(frames, reader.late.length === 0 ? reader.place : null);
}

function reset(hub: LiveHub, reader: Reader, reason: string): Uint8Array {
  Object.assign(reader, { ...hub.end(), late: [], isReset: null });
  return encodeFrames([formatFrame("reset", { reason })], reader.place);
}
