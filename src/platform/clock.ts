import type { Clock } from "../ports/host.ts";

/** The two sources of time: the wall clock, which people and NTP set, and the monotonic clock. */
interface TimeSource {
  wall(): number;
  elapsed(): number;
}

const SYSTEM: TimeSource = { wall: () => Date.now(), elapsed: () => performance.now() };

/**
 * The real clock. It never goes back: when the wall clock does, it advances by elapsed time, so no wait gets longer.
 * Its timers keep the process alive, because nothing else does while the daemon starts.
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
