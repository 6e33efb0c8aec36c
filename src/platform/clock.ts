import type { Clock } from "../ports/host.ts";

/** The real clock; its timers do not keep the process alive. */
export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    after: (ms, callback) => {
      const timer = setTimeout(callback, Math.min(ms, 2_147_483_647));
      timer.unref();
      return () => clearTimeout(timer);
    },
  };
}
