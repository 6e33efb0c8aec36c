import { useCallback, useState } from "react";

/** The part of the browser's storage that drafts need. */
export type DraftStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const PREFIX = "ao.draft.";
// Even accessing it throws in a browser that forbids storage.
const browser = (): DraftStorage => localStorage;

/** The unsent text of a field; empty if there is none, or if the browser stores nothing. */
export function readDraft(name: string, storage: () => DraftStorage = browser): string {
  try {
    return storage().getItem(PREFIX + name) ?? "";
  } catch {
    return "";
  }
}

export function keepDraft(name: string, text: string, storage: () => DraftStorage = browser): void {
  try {
    if (text === "") storage().removeItem(PREFIX + name);
    else storage().setItem(PREFIX + name, text);
  } catch {
    // A full or forbidden storage loses the draft, not the page.
  }
}

/** A text that survives a reload, one per name. */
export function useDraft(name: string): readonly [string, (text: string) => void] {
  const [kept, setKept] = useState(() => ({ name, text: readDraft(name) }));
  const current = kept.name === name ? kept : { name, text: readDraft(name) };
  if (current !== kept) setKept(current);
  const change = useCallback(
    (text: string) => {
      keepDraft(name, text);
      setKept({ name, text });
    },
    [name],
  );
  return [current.text, change];
}
