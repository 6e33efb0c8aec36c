import { z } from "zod";
import { addTokens, NO_TOKENS, type Tokens } from "../../../core/cost/usage.ts";
import type { Notes } from "../../driver.ts";
import { type NoteRequest, note, type Step, step } from "../../kit/reducer.ts";

/** What the threads of a session have used; the program counts a thread over all its processes. */
export interface Meter {
  /** By threads that were lost. */
  readonly before: Tokens;
  readonly last: Tokens;
  /** The model of all tokens that are counted from now on. */
  readonly model: string | null;
}

export interface Counts {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
}

const Kept = z.object({
  inputTokens: z.number(),
  // Older versions did not keep it.
  cachedTokens: z.number().default(0),
  outputTokens: z.number(),
});

const LAST = "codex.tokens";
const BEFORE = "codex.tokens-before";
/** Kept because a resumed thread reports its counts before its model. */
const MODEL = "codex.model";

/** The meter as an earlier process left it. */
export function readMeter(notes: Pick<Notes, "get">): Meter {
  return { before: readTokens(notes.get(BEFORE)), last: readTokens(notes.get(LAST)), model: notes.get(MODEL) };
}

/** The thread has used so much in all. */
export function countTokens(meter: Meter, total: Counts): Step<Meter, NoteRequest> {
  const { inputTokens, cachedInputTokens: cachedTokens, outputTokens } = total;
  const next = { ...meter, last: { inputTokens, cachedTokens, outputTokens } };
  const used = { ...addTokens(next.before, next.last), costUsd: 0, model: next.model };
  return step(next, [["usedInAll", used]], [note(LAST, JSON.stringify(next.last))]);
}

/** The program names its model; null: it does not. */
export function useModel(meter: Meter, model: string | null): Step<Meter, NoteRequest> {
  if (model === null || model === meter.model) return step(meter);
  return step({ ...meter, model }, [], [note(MODEL, model)]);
}

/** A new thread takes the place of the one that was counted. */
export function startOver(meter: Meter): Step<Meter, NoteRequest> {
  const before = addTokens(meter.before, meter.last);
  const notes = [note(BEFORE, JSON.stringify(before)), note(LAST, JSON.stringify(NO_TOKENS))];
  return step({ ...meter, before, last: NO_TOKENS }, [], notes);
}

function readTokens(text: string | null): Tokens {
  return text === null ? NO_TOKENS : Kept.parse(JSON.parse(text));
}
