import type { InboxView } from "../../../../src/protocol/views/inbox.ts";

const TITLES = ["Blocking others", "Blocked", "Ready for you"] as const;

export interface EntryGroup {
  readonly title: (typeof TITLES)[number];
  readonly entries: readonly InboxView[];
}

/** Entries by what waits for them: other tasks, one agent, or only a merge or a review. */
export function groupEntries(entries: readonly InboxView[]): readonly EntryGroup[] {
  return TITLES.flatMap((title) => {
    const members = entries.filter((entry) => titleOf(entry) === title);
    return members.length === 0 ? [] : [{ title, entries: members }];
  });
}

function titleOf({ rank }: InboxView): EntryGroup["title"] {
  if (rank === 0) return "Blocking others";
  return rank <= 2 ? "Blocked" : "Ready for you";
}
