import { z } from "zod";
import { addTokens, NO_TOKENS, type Tokens } from "../../../core/cost/usage.ts";
import type { Notes } from "../../driver.ts";
import { type NoteRequest, note, type Step, step } from "../../kit/reducer.ts";

/** The usage of a session's threads; the program counts a thread across all its processes. */
export interface Meter {
  /** The usage of lost threads. */
  readonly before: Tokens;
  readonly last: Tokens;
  /** The model of all tokens counted from now on. */
  readonly model: string | null;
}

export interface Counts {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
}

const Kept = z.object({
  inputTokens: z.number(),
  // Older versions did not store it.
  cachedTokens: z.number().default(0),
  outputTokens: z.number(),
});

const LAST = "codex.tokens";
const BEFORE = "codex.tokens-before";
/** Stored because a resumed thread reports its counts before its model. */
const MODEL = "codex.model";

/** The meter as an earlier process left it. */
export function readMeter(notes: Pick<Notes, "get">): Meter {
  return { before: readTokens(notes.get(BEFORE)), last: readTokens(notes.get(LAST)), model: notes.get(MODEL) };
}

/** Sets the thread's total usage. */
export function countTokens(meter: Meter, total: Counts): Step<Meter, NoteRequest> {
  const { inputTokens, cachedInputTokens: cachedTokens, outputTokens } = total;
  const next = { ...meter, last: { inputTokens, cachedTokens, outputTokens } };
  const used = { ...addTokens(next.before, next.last), costUsd: 0, model: next.model };
  return step(next, [["usedInAll", used]], [note(LAST, JSON.stringify(next.last))]);
}

/** Sets the model that the program reports; null: none. */
export function useModel(meter: Meter, model: string | null): Step<Meter, NoteRequest> {
  if (model === null || model === meter.model) return step(meter);
  return step({ ...meter, model }, [], [note(MODEL, model)]);
}

/** A new thread replaces the one that was counted. */
export function startOver(meter: Meter): Step<Meter, NoteRequest> {
  const before = addTokens(meter.before, meter.last);
  const notes = [note(BEFORE, JSON.stringify(before)), note(LAST, JSON.stringify(NO_TOKENS))];
  return step({ ...meter, before, last: NO_TOKENS }, [], notes);
}

function readTokens(text: string | null): Tokens {
  return text === null ? NO_TOKENS : Kept.parse(JSON.parse(text));
}
