import type { ListItem } from "./list-items.ts";

/** The group of each row of a list, by key. */
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
