import { useRef } from "react";
import type { ListItem } from "./list-items.ts";
import { groupsOfRows, movedRows } from "./moved-rows.ts";

/** Slightly longer than the slide, which must not be cut short. */
const SLIDE_MS = 250;

/** Has a row just changed its group, so that it slides to its new place? */
export function useMovedRows(items: readonly ListItem[]): (key: unknown) => boolean {
  const seen = useRef(items);
  const movedAt = useRef(new Map<unknown, number>());
  const now = performance.now();
  if (seen.current !== items) {
    for (const key of movedRows(groupsOfRows(seen.current), groupsOfRows(items))) movedAt.current.set(key, now);
    seen.current = items;
  }
  return (key) => now - (movedAt.current.get(key) ?? Number.NEGATIVE_INFINITY) < SLIDE_MS;
}
