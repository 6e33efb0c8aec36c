import type { Activity } from "./activity.ts";

export interface Coalescer<K> {
  /** Requests a run for this key; settles with a run that started after the request. */
  request(key: K): Promise<void>;
  /** Is a run for this key in progress? */
  isRunning(key: K): boolean;
  /** Starts no more runs; the current one ends by itself, and requests made meanwhile resolve without a run. */
  close(): void;
}

/**
 * One run per key at a time, and one more if anyone asked meanwhile.
 *
 *             request                 request (joins an existing one)
 *   idle ───────────────▶ running ───────────────▶ running, next promised
 *    ▲                       │                                │
 *    └───── run ends ────────┘          running ◀── run ends ─┘
 *
 * Race windows, each forced by a test:
 * - a request after the work read its last fact, but before its promise settled: it gets its own run;
 * - a request in the microtask between the end of a run and the start of the next: it joins the next;
 * - a request by the work itself: it gets another run, not this one;
 * - a run that fails: the next one still starts;
 * - a close during a run: nothing follows.
 */
export function createCoalescer<K>(work: (key: K) => Promise<void>, activity: Activity): Coalescer<K> {
  const runs = new Map<K, { readonly current: Promise<void>; next: Promise<void> | null; readonly end: () => void }>();
  let closed = false;

  const begin = (key: K): Promise<void> => {
    const end = activity.begin();
    const current = Promise.resolve()
      .then(() => work(key))
      .finally(() => {
        if (run.next !== null) return;
        runs.delete(key);
        end();
      });
    const run = { current, next: null as Promise<void> | null, end };
    runs.set(key, run);
    return current;
  };

  return {
    request: (key) => {
      const run = runs.get(key);
      if (run === undefined) return closed ? Promise.resolve() : begin(key);
      const follow = (): Promise<void> => {
        runs.delete(key);
        const next = closed ? Promise.resolve() : begin(key);
        run.end();
        return next;
      };
      run.next ??= run.current.then(follow, follow);
      return run.next;
    },
    isRunning: (key) => runs.has(key),
    close: () => {
      closed = true;
    },
  };
}
