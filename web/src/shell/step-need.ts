import type { InboxView } from "../../../src/protocol/views/inbox.ts";

/** The page of an inbox entry. */
export function inboxPath(id: string): string {
  return `/inbox/${encodeURIComponent(id)}`;
}

interface Needs {
  readonly entries: readonly Pick<InboxView, "id" | "sessionId">[];
  /** The listed sessions: an entry may be about a project or a pull request instead. */
  readonly sessionIds: ReadonlySet<string>;
}

/** The page of the next or previous need, relative to a page; null: none. */
export function stepNeed({ entries, sessionIds }: Needs, path: string, by: 1 | -1): string | null {
  const isInbox = path.startsWith("/inbox");
  const pageOf = ({ id, sessionId }: Needs["entries"][number]): string =>
    isInbox || !sessionIds.has(sessionId) ? inboxPath(id) : `/s/${encodeURIComponent(sessionId)}`;
  // A session with several needs is one page.
  const pages = [...new Set(entries.map(pageOf))];
  const here = pages.indexOf(path);
  const next = here === -1 ? (by === 1 ? 0 : -1) : (here + by) % pages.length;
  return pages.at(next) ?? null;
}
