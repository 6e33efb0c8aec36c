import type { ListItem } from "./list-items.ts";

/** In which group each row of a list is, by its key. */
export function groupsOfRows(items: readonly ListItem[]): ReadonlyMap<string, string> {
  const groups = new Map<string, string>();
  let group = "needs-you";
  for (const item of items) {
    if (item.type === "header") group = item.group.key;
    else if (item.type === "need" || item.type === "row") groups.set(item.key, group);
  }
  return groups;
}

/** The rows that were in another group before. */
export function movedRows(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  return [...after].flatMap(([key, group]) => (before.has(key) && before.get(key) !== group ? [key] : []));
}
