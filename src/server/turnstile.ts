/** Runs work of one kind, so much of it at the same time; the rest waits in line. */
export type Turnstile = <T>(work: () => Promise<T>) => Promise<T>;

/** Creates one for this much work at the same time. */
export function createTurnstile(atOnce: number): Turnstile {
  const waiting: (() => void)[] = [];
  let inside = 0;
  return async (work) => {
    if (inside >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else inside += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) inside -= 1;
      else next();
    }
  };
}
