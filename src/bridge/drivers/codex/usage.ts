import { z } from "zod";
import { addTokens, NO_TOKENS, type Tokens } from "../../../core/cost/usage.ts";
import type { Notes, Usage } from "../../driver.ts";

/** Adds up what the threads of a session have used. */
export interface Meter {
  /** The model of all tokens that are counted from now on. */
  use(model: string | null): void;
  /** All that the thread has used so far. */
  add(total: Counts): void;
  /** A new thread takes the place of the one that was counted. */
  reset(): void;
}

interface Counts {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
}

const Kept = z.object({
  inputTokens: z.number(),
  // Not kept by versions of before.
  cachedTokens: z.number().default(0),
  outputTokens: z.number(),
});

const LAST = "codex.tokens";
const BEFORE = "codex.tokens-before";
/** Kept because a resumed thread tells its counts before its model. */
const MODEL = "codex.model";

/** Makes the meter of a session; the program counts a thread over all its processes. */
export function createMeter(notes: Notes, report: (usage: Usage) => void): Meter {
  let before = readTokens(notes.get(BEFORE));
  let last = readTokens(notes.get(LAST));
  let model = notes.get(MODEL);
  const sum = (): Tokens => addTokens(before, last);
  return {
    use: (next) => {
      if (next === null || next === model) return;
      model = next;
      notes.set(MODEL, next);
    },
    add: ({ inputTokens, cachedInputTokens, outputTokens }) => {
      last = { inputTokens, cachedTokens: cachedInputTokens, outputTokens };
      notes.set(LAST, JSON.stringify(last));
      report({ ...sum(), costUsd: 0, model });
    },
    reset: () => {
      before = sum();
      last = NO_TOKENS;
      notes.set(BEFORE, JSON.stringify(before));
      notes.set(LAST, JSON.stringify(last));
    },
  };
}

function readTokens(note: string | null): Tokens {
  return note === null ? NO_TOKENS : Kept.parse(JSON.parse(note));
}
