import type { QueryClient, QueryKey } from "@tanstack/react-query";

/** How often the same thing is fetched again at most, however often the stream says that it changed. */
const REST_MS = 500;

export interface Refresher {
  /** Fetches what has these keys and is on screen: at once, or as soon as its rest is over. */
  refresh(keys: readonly QueryKey[]): void;
  close(): void;
}

/** Keeps a busy fleet from fetching the same figures with each of its events. */
export function createRefresher(queries: Pick<QueryClient, "invalidateQueries">): Refresher {
  const resting = new Map<string, { timer: ReturnType<typeof setTimeout>; isWanted: boolean }>();
  const fetchNow = (name: string, queryKey: QueryKey): void => {
    void queries.invalidateQueries({ queryKey });
    const timer = setTimeout(() => {
      const isWanted = resting.get(name)?.isWanted === true;
      resting.delete(name);
      if (isWanted) fetchNow(name, queryKey);
    }, REST_MS);
    resting.set(name, { timer, isWanted: false });
  };
  return {
    refresh: (keys) => {
      for (const key of keys) {
        const name = key.join(" ");
        const rest = resting.get(name);
        if (rest === undefined) fetchNow(name, key);
        else rest.isWanted = true;
      }
    },
    close: () => {
      for (const { timer } of resting.values()) clearTimeout(timer);
      resting.clear();
    },
  };
}
