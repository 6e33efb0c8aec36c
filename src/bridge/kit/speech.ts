import { type Step, step } from "./reducer.ts";

/** The agent's words, which arrive in pieces of a word or two. */
export interface Speech {
  /** Words that are not in the transcript yet. */
  readonly pending: string;
  /** The words since the last pause. */
  readonly last: string;
  readonly lastPiece: string;
  readonly isPaused: boolean;
}

/** Nothing has been said in this turn. */
export const NO_SPEECH: Speech = { pending: "", last: "", lastPiece: "", isPaused: true };

/** A long answer is reported in parts, at the end of a line. */
const REPORT_AT = 4000;
const MAX_LAST = 4000;

/** Adds a piece. */
export function addPiece(speech: Speech, text: string): Step<Speech> {
  if (text === "") return step(speech);
  const pending = speech.pending + text;
  const last = `${speech.isPaused ? "" : speech.last}${text}`.slice(-MAX_LAST);
  const at = cutAt(pending);
  const next = { pending: pending.slice(at), last, lastPiece: text, isPaused: false };
  return step(next, at === 0 ? [] : [["said", pending.slice(0, at)]]);
}

/** Something else happened: the message is complete. */
export function pauseSpeech(speech: Speech): Step<Speech> {
  const said = speech.pending.trim();
  return step({ ...speech, pending: "", isPaused: true }, said === "" ? [] : [["said", said]]);
}

function cutAt(pending: string): number {
  if (pending.length < REPORT_AT) return 0;
  const end = pending.lastIndexOf("\n") + 1;
  return end === 0 && pending.length >= 2 * REPORT_AT ? pending.length : end;
}
