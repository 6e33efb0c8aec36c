import type { Clock } from "../../ports/host.ts";

/** Looks again and again until there is an answer; null when the time is up. Looks at least once. */
export async function waitUntil<T>(
  clock: Clock,
  time: { readonly everyMs: number; readonly timeoutMs: number },
  look: () => Promise<T | null>,
): Promise<T | null> {
  const deadline = clock.now() + time.timeoutMs;
  for (;;) {
    const answer = await look();
    if (answer !== null) return answer;
    const left = deadline - clock.now();
    if (left <= 0) return null;
    await pause(clock, Math.min(time.everyMs, left));
  }
}

/** Waits for a time. */
export function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}
