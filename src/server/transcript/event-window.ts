import type { EventEntry } from "./session-index.ts";

/** Events next to a place, and the key up to which these are all. */
export interface FoundEvents {
  readonly entries: readonly EventEntry[];
  readonly isEnd: boolean;
  readonly reached: number;
}

/** The events before a key. */
export function eventsBefore(events: readonly EventEntry[], key: number, count: number): FoundEvents {
  const end = countBelow(events, key);
  const start = Math.max(0, end - count);
  return {
    entries: events.slice(start, end),
    isEnd: start === 0,
    reached: start === 0 ? 0 : (events[start]?.key ?? 0),
  };
}

/** The events from a key on. */
export function eventsAfter(events: readonly EventEntry[], key: number, count: number): FoundEvents {
  const start = countBelow(events, key);
  const entries = events.slice(start, start + count);
  return { entries, isEnd: start + count >= events.length, reached: Math.max(key, (entries.at(-1)?.key ?? -1) + 1) };
}

function countBelow(events: readonly EventEntry[], key: number): number {
  let low = 0;
  for (let high = events.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((events[middle]?.key ?? 0) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
