import type { Clock } from "../ports/host.ts";

export interface FakeClock extends Clock {
  set(now: number): void;
  /** When the next timer is due; null: no timer. */
  nextAt(): number | null;
  /** Advances time, fires due timers, and runs what they started. */
  advance(ms: number): Promise<void>;
}

/** A clock that a test moves by hand. */
export function createFakeClock(start: number): FakeClock {
  let now = start;
  const timers = new Set<{ readonly at: number; readonly callback: () => void }>();
  return {
    now: () => now,
    after: (ms, callback) => {
      const timer = { at: now + ms, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    set: (to) => {
      now = to;
    },
    nextAt: () => (timers.size === 0 ? null : Math.min(...[...timers].map(({ at }) => at))),
    advance: async (ms) => {
      now += ms;
      for (const timer of [...timers]) {
        if (timer.at > now) continue;
        timers.delete(timer);
        timer.callback();
      }
      await new Promise<void>((resolve) => setImmediate(resolve));
    },
  };
}
