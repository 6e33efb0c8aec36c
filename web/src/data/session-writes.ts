import type { SessionView } from "../../../src/protocol/views/session.ts";
import { describeFailure } from "../parts/failure.ts";
import { call } from "./call.ts";
import { readConnection } from "./connection.ts";
import { type RowNote, setRowNote } from "./row-notes.ts";

interface Target {
  readonly id: string;
}

/** Pending writes; pressing the same button twice is one write. */
const pending = new Set<string>();

interface RowWrite {
  readonly sessionId: string;
  /** What the row shows meanwhile. */
  readonly note: string;
  readonly write: () => Promise<unknown>;
  /** What it shows afterwards; absent: the stream brings the new state. */
  readonly done?: RowNote;
}

/** Runs a write and shows its progress in the row of a session, with the reason if it is rejected. */
export async function writeForRow({ sessionId, note, write, done }: RowWrite): Promise<void> {
  const key = `${sessionId} ${note}`;
  if (pending.has(key) || readConnection().state === "lost") return;
  pending.add(key);
  setRowNote(sessionId, { kind: "sending", text: note });
  try {
    await write();
    setRowNote(sessionId, done ?? null);
  } catch (error) {
    const { what, fix } = describeFailure(error instanceof Error ? error : new Error(String(error)));
    setRowNote(sessionId, { kind: "failed", text: fix === null ? what : `${what} ${fix}` });
  } finally {
    pending.delete(key);
  }
}

export function answerQuestion({ id: sessionId }: Target, questionId: string, choice: string): Promise<void> {
  const input = { choice, questionId };
  const key = `answer-${questionId}`;
  const write = () => call("POST /api/sessions/:id/permission", { params: { id: sessionId }, input, key });
  return writeForRow({ sessionId, note: `Sending “${choice}”`, write });
}

export function sendMessage({ id: sessionId }: Target, content: string): Promise<void> {
  const write = () => call("POST /api/sessions/:id/message", { params: { id: sessionId }, input: { content } });
  return writeForRow({ sessionId, note: "Sending your message", write });
}

export function interruptTurn({ id: sessionId }: Target): Promise<void> {
  const write = () => call("POST /api/sessions/:id/interrupt", { params: { id: sessionId } });
  return writeForRow({ sessionId, note: "Interrupting …", write });
}

export function stopSession(session: SessionView): Promise<void> {
  const write = () => call("DELETE /api/sessions/:id", { params: { id: session.id }, input: {} });
  const done = { kind: "stopped", text: "Stopped, all work kept.", stopped: session } as const;
  return writeForRow({ sessionId: session.id, note: "Stopping …", write, done });
}

export function restoreSession({ id: sessionId }: Target): Promise<void> {
  const write = () => call("POST /api/sessions/:id/restore", { params: { id: sessionId }, input: {} });
  return writeForRow({ sessionId, note: "Restoring …", write });
}

export function mergePullRequest({ id: sessionId }: Target): Promise<void> {
  const write = () => call("POST /api/sessions/:id/merge", { params: { id: sessionId }, input: {} });
  return writeForRow({ sessionId, note: "Merging …", write });
}

/** Approves the commit that was on screen. */
export function approvePullRequest({ id: sessionId }: Target, head: string): Promise<void> {
  const write = () => call("POST /api/sessions/:id/approve", { params: { id: sessionId }, input: { head } });
  return writeForRow({ sessionId, note: "Approving …", write });
}
