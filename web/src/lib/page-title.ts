import { useEffect, useSyncExternalStore } from "react";

const listeners = new Set<() => void>();
let title = "";

/** Names the page in its tab, in the history and for screen readers, while it is shown. */
export function usePageTitle(text: string): void {
  useEffect(() => {
    change(text);
    return () => change("");
  }, [text]);
}

/** The name of the page on screen; empty: it has not said one. */
export function useShownTitle(): string {
  return useSyncExternalStore(subscribe, () => title);
}

function change(text: string): void {
  title = text;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
