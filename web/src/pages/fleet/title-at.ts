import type { SessionGroup } from "./group-sessions.ts";
import type { ListItem } from "./list-items.ts";

export interface HeadTitle {
  readonly title: string;
  readonly count: number | null;
  readonly note: string;
}

/** The title of the list: what needs a person, or which groups are above the visible ones. */
export function titleAt(groups: readonly SessionGroup[], items: readonly ListItem[], top: number): HeadTitle {
  const [first] = groups;
  if (first === undefined) return { title: "Sessions", count: null, note: "" };
  const needs = groups.find(({ key }) => key === "needs-you");
  const headers = items.flatMap((item, index) => (item.type === "header" ? [{ ...item.group, index }] : []));
  const current = headers.findLastIndex(({ index }) => index <= top);
  const above = [...(needs === undefined ? [] : [needs]), ...headers.slice(0, current)];
  if (top > 0 && current >= 0 && above.length > 0) {
    const title = above.map((group) => `${group.title} ${group.sessions.length}`).join(", ");
    return { title: `${title} above`, count: null, note: "" };
  }
  if (needs === undefined) return { title: "Nothing needs you", count: null, note: "" };
  return { title: needs.title, count: needs.sessions.length, note: needs.summary };
}
