import type { QueryClient, QueryKey } from "@tanstack/react-query";

/** The minimum time between two fetches of the same key, however often the stream reports changes. */
const REST_MS = 500;

export interface Refresher {
  /** Refetches the keys that are on screen: at once, or when their pause is over. */
  refresh(keys: readonly QueryKey[]): void;
  close(): void;
}

/** Keeps a busy fleet from refetching the same data with every event. */
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
