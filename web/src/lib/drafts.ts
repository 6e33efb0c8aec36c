import { useCallback, useSyncExternalStore } from "react";

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

/** The unsent texts of this page, also where the browser stores nothing. */
const typed = new Map<string, string>();
const listeners = new Set<() => void>();

/** What the fields of this name show. */
export function currentDraft(name: string): string {
  return typed.get(name) ?? readDraft(name);
}

export function changeDraft(name: string, text: string): void {
  keepDraft(name, text);
  if (text === "") typed.delete(name);
  else typed.set(name, text);
  for (const listener of listeners) listener();
}

/** Puts a rejected text back into its field, above what was typed meanwhile. */
export function returnDraft(name: string, text: string): void {
  const newer = currentDraft(name);
  changeDraft(name, newer === "" ? text : `${text}\n${newer}`);
}

/** A text that survives a reload, one per name. */
export function useDraft(name: string): readonly [string, (text: string) => void] {
  const read = (): string => currentDraft(name);
  const text = useSyncExternalStore(subscribe, read, read);
  const change = useCallback((changed: string) => changeDraft(name, changed), [name]);
  return [text, change];
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
