import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | null = null;
let frozenAt: number | null = null;

/** The current time, or a value derived from it; the component rerenders only when that changes. */
export function useNow(): number;
export function useNow<Value extends string | number>(select: (now: number) => Value): Value;
export function useNow(select: (now: number) => string | number = (now) => now): string | number {
  return useSyncExternalStore(onTick, () => select(readNow()));
}

/** Stops the clock at the last known state while the daemon is unreachable; null restarts it. */
export function freezeNow(at: number | null): void {
  if (frozenAt === null && at === null) return;
  frozenAt ??= at;
  if (at === null) frozenAt = null;
  tick();
}

export function readNow(): number {
  return frozenAt ?? now;
}

/** Calls back every second, while there are listeners. */
export function onTick(listener: () => void): () => void {
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
