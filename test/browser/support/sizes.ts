import { isFull } from "../../../src/testing/full.ts";
import type { PageOptions } from "./page.ts";

/** The windows in which everything must be within reach: a desk, two halves of it, a tablet, a phone, and 200 % zoom. */
export const SIZES: Readonly<Record<string, PageOptions>> = {
  "1440": { size: { width: 1440, height: 900 } },
  "1240": { size: { width: 1240, height: 800 } },
  "1024": { size: { width: 1024, height: 768 } },
  "720": { size: { width: 720, height: 900 } },
  "390": { size: { width: 390, height: 844 }, hasTouch: true },
  "200 %": { size: { width: 720, height: 450 }, scale: 2 },
};

const SEED = Math.floor(Math.random() * 1_000_000);

/**
 * What to try in a window of this size. The long run tries everything in all of them; `npm test` each thing in one, another one each
 * time.
 */
export function dealt<T>(all: readonly T[], size: string): readonly T[] {
  if (isFull) return all;
  const names = Object.keys(SIZES);
  const turn = names.indexOf(size) + SEED;
  return all.filter((_, index) => (index + turn) % names.length === 0);
}
