import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";

/** A line of the diary that the scripted agent keeps. */
export interface DiaryEntry {
  readonly event: string;
  readonly id?: string;
  /** As written, without the brief that follows a task. */
  readonly text?: string;
  readonly brief?: string;
  readonly attempt?: number;
  readonly choice?: string;
  readonly pid: number;
  readonly resume: boolean;
}

/** Reads only what was added since the last call: tests poll often, and some diaries are long. */
export function createDiaryReader(folder: string): (sessionId: string) => readonly DiaryEntry[] {
  const read = new Map<string, { readonly bytes: number; readonly entries: readonly DiaryEntry[] }>();
  return (sessionId) => {
    const file = join(folder, `${sessionId}.jsonl`);
    const before = read.get(sessionId) ?? { bytes: 0, entries: [] };
    const size = existsSync(file) ? statSync(file).size : 0;
    if (size <= before.bytes) return before.entries;
    const added = readFrom(file, before.bytes, size);
    const whole = added.subarray(0, added.lastIndexOf("\n") + 1);
    const lines = whole.toString("utf8").split("\n").slice(0, -1);
    const entries = [...before.entries, ...lines.map((line) => JSON.parse(line) as DiaryEntry)];
    read.set(sessionId, { bytes: before.bytes + whole.length, entries });
    return entries;
  };
}

function readFrom(file: string, from: number, to: number): Buffer {
  const handle = openSync(file, "r");
  try {
    const bytes = Buffer.alloc(to - from);
    return bytes.subarray(0, readSync(handle, bytes, 0, bytes.length, from));
  } finally {
    closeSync(handle);
  }
}
