import type { Clock } from "../ports/host.ts";

/** Where the time comes from: the time of day, which people and NTP set, and what has really elapsed. */
interface TimeSource {
  wall(): number;
  elapsed(): number;
}

const SYSTEM: TimeSource = { wall: () => Date.now(), elapsed: () => performance.now() };

/**
 * The real clock. It never goes back: when the time of day does, it continues by what has elapsed, so that no wait gets longer. Its
 * timers keep the process alive: while the daemon starts, nothing else does.
 */
export function createSystemClock(source: TimeSource = SYSTEM): Clock {
  let last = source.wall();
  let lastElapsed = source.elapsed();
  return {
    now: () => {
      const elapsed = source.elapsed();
      last = Math.max(source.wall(), Math.floor(last + elapsed - lastElapsed));
      lastElapsed = elapsed;
      return last;
    },
    after: (ms, callback) => {
      const timer = setTimeout(callback, Math.min(ms, 2_147_483_647));
      return () => clearTimeout(timer);
    },
  };
}
