import type { Clock } from "../../ports/host.ts";

/** A clock on which every pause ends at once, the shortest first; waits of over a minute never end. */
export function createRushingClock(start = 1_000_000): Clock {
  let now = start;
  let isScheduled = false;
  const timers = new Set<{ readonly at: number; readonly callback: () => void }>();
  const fire = (): void => {
    isScheduled = false;
    const [next] = [...timers].sort((one, other) => one.at - other.at);
    if (next === undefined) return;
    timers.delete(next);
    now = Math.max(now, next.at);
    next.callback();
    schedule();
  };
  const schedule = (): void => {
    if (isScheduled || timers.size === 0) return;
    isScheduled = true;
    setImmediate(fire);
  };
  return {
    now: () => now,
    after: (ms, callback) => {
      if (ms > 60_000) return () => undefined;
      const timer = { at: now + ms, callback };
      timers.add(timer);
      schedule();
      return () => timers.delete(timer);
    },
  };
}
