/** Counts by key. */
export interface Tally {
  add(key: string): void;
  has(key: string): boolean;
  /** Takes one away; false if there was none. */
  take(key: string): boolean;
  clear(): void;
}

/** Creates an empty tally. */
export function createTally(): Tally {
  const counts = new Map<string, number>();
  return {
    add: (key) => {
      counts.set(key, (counts.get(key) ?? 0) + 1);
    },
    has: (key) => counts.has(key),
    take: (key) => {
      const count = counts.get(key);
      if (count === undefined) return false;
      if (count === 1) counts.delete(key);
      else counts.set(key, count - 1);
      return true;
    },
    clear: () => counts.clear(),
  };
}
