import type { InboxView } from "../../../src/protocol/views/inbox.ts";

/** The page of an inbox entry. */
export function inboxPath(id: string): string {
  return `/inbox/${encodeURIComponent(id)}`;
}

/** The page of the next or previous session that needs a person, relative to a page; null: none. */
export function stepNeed(
  entries: readonly Pick<InboxView, "id" | "sessionId">[],
  path: string,
  by: 1 | -1,
): string | null {
  if (entries.length === 0) return null;
  const isInbox = path.startsWith("/inbox");
  const pages = entries.map(({ id, sessionId }) => (isInbox ? inboxPath(id) : `/s/${encodeURIComponent(sessionId)}`));
  const here = pages.indexOf(path);
  const next = here === -1 ? (by === 1 ? 0 : -1) : (here + by) % pages.length;
  return pages.at(next) ?? null;
}
