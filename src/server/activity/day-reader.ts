import type { Store, StoredEvent } from "../../ports/store.ts";
import { createPace, readLog } from "../read-log.ts";

/** How far back activity views go. */
export const WINDOW_MS = 24 * 60 * 60_000;

/** Reads the last day of the log on the first call, and only new events later. Concurrent calls share one read. */
export function createDayReader(
  store: Pick<Store, "read">,
  apply: (stored: StoredEvent) => void,
): (now: number) => Promise<void> {
  let position: number | null = null;
  const catchUp = async (now: number): Promise<void> => {
    position ??= await findPosition(store, now - WINDOW_MS);
    await readLog(store, { after: position, until: Number.POSITIVE_INFINITY, pace: createPace() }, (stored) => {
      position = stored.position;
      apply(stored);
    });
  };
  let reading: Promise<void> = Promise.resolve();
  return (now) => {
    reading = reading.catch(() => undefined).then(() => catchUp(now));
    return reading;
  };
}

/** The position before the first event at or after this time. Times never go back in a log, so binary search works. */
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
