import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | null = null;
let frozenAt: number | null = null;

/** The present in whole seconds; every component that uses it is rendered again by the same tick. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, readNow);
}

/** Stops the clock at the last known state while the daemon is unreachable; null starts it again. */
export function freezeNow(at: number | null): void {
  frozenAt = at;
  tick();
}

function readNow(): number {
  return frozenAt ?? now;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, 1_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
}

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}
