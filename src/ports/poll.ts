import type { Clock } from "./host.ts";

export interface Pace {
  /** The pause between two probes; with `slowestMs` it doubles after each. */
  readonly everyMs: number;
  readonly slowestMs?: number;
  readonly timeoutMs: number;
}

/** Probes until there is an answer, at least once; null when time is up. */
export async function poll<T>(clock: Clock, pace: Pace, probe: () => T | null | Promise<T | null>): Promise<T | null> {
  const deadline = clock.now() + pace.timeoutMs;
  const slowest = pace.slowestMs ?? pace.everyMs;
  for (let wait = pace.everyMs; ; wait = Math.min(wait * 2, slowest)) {
    const answer = await probe();
    if (answer !== null) return answer;
    const left = deadline - clock.now();
    if (left <= 0) return null;
    await pause(clock, Math.min(wait, left));
  }
}

/** Like `poll`, for a condition; false when time is up. */
export async function pollUntil(clock: Clock, pace: Pace, isTrue: () => boolean | Promise<boolean>): Promise<boolean> {
  return (await poll(clock, pace, async () => ((await isTrue()) ? true : null))) === true;
}

/** Waits for `ms`. */
export function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}
