import { z } from "zod";
import type { Notes, Usage } from "../../driver.ts";

/** Adds up what the threads of a session have used. */
export interface Meter {
  /** All that the thread has used so far. */
  add(total: Tokens): void;
  /** A new thread takes the place of the one that was counted. */
  reset(): void;
}

const Tokens = z.object({ inputTokens: z.number(), outputTokens: z.number() });
type Tokens = z.infer<typeof Tokens>;

const LAST = "codex.tokens";
const BEFORE = "codex.tokens-before";

/** Makes the meter of a session; the program counts a thread over all its processes. */
export function createMeter(notes: Notes, report: (usage: Usage) => void): Meter {
  let before = readTokens(notes.get(BEFORE));
  let last = readTokens(notes.get(LAST));
  const sum = (): Tokens => ({
    inputTokens: before.inputTokens + last.inputTokens,
    outputTokens: before.outputTokens + last.outputTokens,
  });
  return {
    add: ({ inputTokens, outputTokens }) => {
      last = { inputTokens, outputTokens };
      notes.set(LAST, JSON.stringify(last));
      report({ ...sum(), costUsd: 0 });
    },
    reset: () => {
      before = sum();
      last = { inputTokens: 0, outputTokens: 0 };
      notes.set(BEFORE, JSON.stringify(before));
      notes.set(LAST, JSON.stringify(last));
    },
  };
}

function readTokens(note: string | null): Tokens {
  return note === null ? { inputTokens: 0, outputTokens: 0 } : Tokens.parse(JSON.parse(note));
}
