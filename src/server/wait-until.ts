import type { Engine } from "../engine/engine.ts";

/** Waits for a condition on the world, looking after each commit; gives up after the limit without an error. */
export function waitUntil(engine: Engine, limitMs: number, isTrue: () => boolean): Promise<boolean> {
  return new Promise((resolve) => {
    if (isTrue()) return resolve(true);
    const finish = (met: boolean): void => {
      unsubscribe();
      clearTimeout(timer);
      resolve(met);
    };
    const unsubscribe = engine.subscribe(() => {
      if (isTrue()) finish(true);
    });
    const timer = setTimeout(() => finish(false), limitMs);
  });
}
