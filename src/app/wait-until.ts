import type { Engine } from "../engine/engine.ts";

/** Waits for a condition on the world, checking it after each commit; false on timeout. */
export function waitUntil(engine: Pick<Engine, "subscribe">, limitMs: number, isTrue: () => boolean): Promise<boolean> {
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
