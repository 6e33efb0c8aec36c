import type { SessionView } from "../../../src/protocol/views/session.ts";
import { describeFailure } from "../parts/failure.ts";
import { call } from "./call.ts";
import { requireConnection } from "./connection.ts";
import { type RowNote, setRowNote } from "./row-notes.ts";

interface Target {
  readonly id: string;
}

/** Pending writes; pressing the same button twice is one write. */
const pending = new Map<string, Promise<void>>();

interface RowWrite {
  readonly sessionId: string;
  /** What the row shows meanwhile. */
  readonly note: string;
  readonly write: () => Promise<unknown>;
  /** What it shows afterwards; absent: the stream brings the new state. */
  readonly done?: RowNote;
}

/** Runs a write and shows its progress in the row of a session, with the reason if it is rejected. */
export async function writeForRow(row: RowWrite): Promise<void> {
  await writeOnce(row).catch(() => undefined);
}

function writeOnce(row: RowWrite): Promise<void> {
  const key = `${row.sessionId} ${row.note}`;
  const same = pending.get(key);
  if (same !== undefined) return same;
  const running = writeOrReject(row).finally(() => pending.delete(key));
  pending.set(key, running);
  return running;
}

/** The same for a text that somebody typed: rejects, so that its field gets it back. */
async function writeOrReject({ sessionId, note, write, done }: RowWrite): Promise<void> {
  requireConnection();
  setRowNote(sessionId, { kind: "sending", text: note });
  try {
    await write();
    setRowNote(sessionId, done ?? null);
  } catch (error) {
    const { what, fix } = describeFailure(error instanceof Error ? error : new Error(String(error)));
    setRowNote(sessionId, { kind: "failed", text: fix === null ? what : `${what} ${fix}` });
    throw error;
  }
}

/** Answers a question; rejects if the answer does not reach the daemon. */
export function answerQuestion({ id: sessionId }: Target, questionId: string, choice: string): Promise<void> {
  const input = { choice, questionId };
  const key = `answer-${questionId}`;
  const write = () => call("POST /api/sessions/:id/permission", { params: { id: sessionId }, input, key });
  return writeOnce({ sessionId, note: `Sending “${choice}”`, write });
}

/** Sends a message; rejects if it does not reach the daemon. Two messages are two writes. */
export function sendMessage({ id: sessionId }: Target, content: string): Promise<void> {
  const write = () => call("POST /api/sessions/:id/message", { params: { id: sessionId }, input: { content } });
  return writeOrReject({ sessionId, note: "Sending your message", write });
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
