import { useSyncExternalStore } from "react";
import type { SessionView } from "../../../src/protocol/views/session.ts";

/** The result of a write, shown in the row of its session. */
export interface RowNote {
  readonly kind: "sending" | "failed" | "stopped";
  readonly text: string;
  /** The stopped session, while its row offers to restore it. */
  readonly stopped?: SessionView;
}

const STOPPED_MS = 5_000;
const listeners = new Set<() => void>();
let notes: ReadonlyMap<string, RowNote> = new Map();

export function setRowNote(sessionId: string, note: RowNote | null): void {
  const changed = new Map(notes);
  if (note === null) changed.delete(sessionId);
  else changed.set(sessionId, note);
  notes = changed;
  for (const listener of listeners) listener();
  if (note?.kind === "stopped") setTimeout(() => clearRowNote(sessionId, note), STOPPED_MS);
}

/** Removes a note, unless another one has replaced it. */
function clearRowNote(sessionId: string, note: RowNote): void {
  if (notes.get(sessionId) === note) setRowNote(sessionId, null);
}

export function useRowNote(sessionId: string): RowNote | null {
  return useSyncExternalStore(subscribe, () => notes.get(sessionId) ?? null);
}

/** All notes, for lists that keep a stopped session while it can be restored. */
export function useRowNotes(): ReadonlyMap<string, RowNote> {
  return useSyncExternalStore(subscribe, () => notes);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
