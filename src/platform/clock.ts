import type { Clock } from "../ports/host.ts";

/** The real clock. Its timers keep the process alive: while the daemon starts, nothing else does. */
export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    after: (ms, callback) => {
      const timer = setTimeout(callback, Math.min(ms, 2_147_483_647));
      return () => clearTimeout(timer);
    },
  };
}
