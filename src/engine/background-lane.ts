import type { Clock } from "../ports/host.ts";

/** Runs work after everything queued before it; resolves when it is done. */
export type BackgroundLane = (work: () => Promise<void>) => Promise<void>;

/** After a clock that was set, a task seems to have taken hours; whatever waits behind it must not. */
const MAX_REST_MS = 10_000;

/** One task at a time, with a rest after each: together they take at most this share of the time. */
export function createBackgroundLane(clock: Clock, share: number): BackgroundLane {
  let last: Promise<void> = Promise.resolve();
  const rest = (ms: number): Promise<void> =>
    ms <= 0 ? Promise.resolve() : new Promise((resolve) => clock.after(ms, resolve));
  return (work) => {
    let tookMs = 0;
    const done = last.then(async () => {
      const startedAt = clock.now();
      try {
        await work();
      } finally {
        tookMs = clock.now() - startedAt;
      }
    });
    last = done.catch(() => undefined).then(() => rest(Math.min(MAX_REST_MS, tookMs * (1 / share - 1))));
    return done;
  };
}
