import type { World } from "../core/world.ts";

/** The number of a pull request now, if it is not the one in its key. */
export type NumberOf = (key: string) => number | undefined;

/** Publishing a pull request gives it the number of its forge, but its key stays. For one answer: it remembers what it found. */
export function createNumbers(world: World): NumberOf {
  // Searching the archive for each event would be slow.
  const known = new Map<string, number | undefined>();
  return (key) => {
    if (known.has(key)) return known.get(key);
    const change = world.change(key);
    const isOld = change !== undefined && key !== `${change.projectId}/${change.number}`;
    known.set(key, isOld ? change.number : undefined);
    return known.get(key);
  };
}
