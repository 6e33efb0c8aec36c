import { setTimeout as delay } from "node:timers/promises";

/** Wakes a waiter; if none is waiting, the next wait ends at once. */
export interface Bell {
  ring(): void;
  /** True if it was rung, false after the limit or when the signal aborts. */
  wait(limitMs: number, signal: AbortSignal): Promise<boolean>;
}

/** A bell for one waiter. */
export function createBell(): Bell {
  let isRung = false;
  let wake: (() => void) | null = null;
  return {
    ring: () => {
      isRung = true;
      wake?.();
    },
    wait: async (limitMs, signal) => {
      const over = new AbortController();
      if (!isRung) {
        const rung = new Promise<void>((resolve) => {
          wake = resolve;
        });
        const silence = delay(limitMs, undefined, { signal: AbortSignal.any([signal, over.signal]) });
        await Promise.race([rung, silence.catch(() => undefined)]);
        over.abort();
      }
      wake = null;
      const wasRung = isRung;
      isRung = false;
      return wasRung;
    },
  };
}
