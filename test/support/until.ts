import { setTimeout as pause } from "node:timers/promises";
import { PATIENCE_MS } from "../../src/testing/patience.ts";

/** Waits for a condition in another process, which cannot be awaited directly; fails with the last value seen. */
export async function until<T>(
  what: string,
  look: () => Promise<T | false | null | undefined> | T | false | null | undefined,
  limitMs = PATIENCE_MS,
  slowestMs = 250,
): Promise<T> {
  const deadline = Date.now() + limitMs;
  let last: unknown;
  // Fast at first; a longer wait must not take CPU from what it waits for.
  for (let everyMs = slowestMs / 25; ; everyMs = Math.min(everyMs * 1.3, slowestMs)) {
    try {
      const seen = await look();
      if (seen !== false && seen !== null && seen !== undefined) return seen;
      last = seen;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline) throw new Error(`waited ${limitMs} ms for: ${what} (last: ${String(last)})`);
    await pause(everyMs);
  }
}

/** The same for a condition that takes a process to check, such as an `ao` command: polls less often. */
export function untilSeen(what: string, look: () => Promise<boolean>): Promise<true> {
  return until(what, async () => ((await look()) ? true : null), PATIENCE_MS, 500);
}
