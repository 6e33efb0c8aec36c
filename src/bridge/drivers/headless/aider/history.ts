import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import type { Notes } from "../../../driver.ts";

/** Aider's chat history file. A prompt is in it, marked line by line, before the model is called. */
export interface History {
  exists(): boolean;
  /** The next entry will be this prompt. */
  expect(promptId: string): void;
  /** Is it there? Null if another prompt was sent since. */
  has(promptId: string): boolean | null;
}

const EXPECTED = "aider.expected";
const PROMPT = /^#### /m;

/** Opens the history; the position of the next prompt is saved before the program starts. */
export function openHistory(path: string, notes: Notes): History {
  return {
    exists: () => existsSync(path),
    expect: (promptId) => notes.set(EXPECTED, `${existsSync(path) ? statSync(path).size : 0} ${promptId}`),
    has: (promptId) => {
      const [, offset, expected] = /^(\d+) (.*)$/s.exec(notes.get(EXPECTED) ?? "") ?? [];
      if (expected !== promptId) return null;
      return existsSync(path) && PROMPT.test(readFrom(path, Number(offset)));
    },
  };
}

function readFrom(path: string, offset: number): string {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(file).size - offset));
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, offset)).toString("utf8");
  } finally {
    closeSync(file);
  }
}
