import { AoError } from "../core/errors.ts";

/** The requested part of a list. */
export interface PageQuery {
  readonly limit?: number;
  readonly cursor?: string;
}

export interface PageOf<Item> {
  readonly data: readonly Item[];
  readonly next?: string;
}

/** The items after the one that the cursor names; `next` is set if there are more. */
export function cutPage<Item>(items: readonly Item[], query: PageQuery, idOf: (item: Item) => string): PageOf<Item> {
  const start = query.cursor === undefined ? 0 : findCursor(items, query.cursor, idOf);
  const end = query.limit === undefined ? items.length : start + Math.max(1, query.limit);
  const data = items.slice(start, end);
  const last = data.at(-1);
  return end < items.length && last !== undefined ? { data, next: idOf(last) } : { data };
}

function findCursor<Item>(items: readonly Item[], cursor: string, idOf: (item: Item) => string): number {
  const found = items.findIndex((item) => idOf(item) === cursor);
  if (found >= 0) return found + 1;
  throw new AoError({
    code: "usage",
    message: "Invalid input: cursor: its entry is no longer in the list.",
    hint: "Start again without a cursor.",
  });
}
