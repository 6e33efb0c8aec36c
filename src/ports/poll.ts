import type { Clock } from "./host.ts";

export interface Pace {
  /** The pause between two probes; with `slowestMs` it doubles after each. */
  readonly everyMs: number;
  readonly slowestMs?: number;
  readonly timeoutMs: number;
}

/** Two probes that are this far apart, or in the wrong order, are so by the clock alone: somebody set it, or the machine slept. */
const JUMP_MS = 60_000;

/** How much of the time between two probes counts, by the clock and by the pause between them. */
export function countedMs(clockMs: number, pausedMs: number): number {
  return clockMs < 0 || clockMs > pausedMs + JUMP_MS ? pausedMs : clockMs;
}

/**
 * Probes until there is an answer, at least once; null when time is up. A clock that somebody sets
 * meanwhile neither ends the wait nor prolongs it.
 */
export async function poll<T>(clock: Clock, pace: Pace, probe: () => T | null | Promise<T | null>): Promise<T | null> {
  const slowest = pace.slowestMs ?? pace.everyMs;
  let left = pace.timeoutMs;
  for (let wait = pace.everyMs; ; wait = Math.min(wait * 2, slowest)) {
    const since = clock.now();
    const answer = await probe();
    if (answer !== null) return answer;
    if (left <= 0) return null;
    const paused = Math.min(wait, left);
    await pause(clock, paused);
    left -= countedMs(clock.now() - since, paused);
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
