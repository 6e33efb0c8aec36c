import { AoError } from "../../core/errors.ts";

/**
 * A place in a transcript that survives the daemon: how far each source was read, by its own measure. `after` goes
 * forward from there, `before` backward.
 */
export interface Cursor {
  readonly direction: "after" | "before";
  /** For each source: entries below this key are before the place. */
  readonly keys: readonly number[];
}

/** More than a run ever prints; keys stay integers up to 2^17 runs. */
const RUN_BYTES = 2 ** 36;

/** The key of an output line: runs come one after another. */
export function outputKey(run: number, offset: number): number {
  return run * RUN_BYTES + offset;
}

/** The run and the offset of a key. */
export function placeOf(key: number): { readonly run: number; readonly offset: number } {
  const run = Math.floor(key / RUN_BYTES);
  return { run, offset: key - run * RUN_BYTES };
}

/** As in the API. */
export function formatCursor({ direction, keys }: Cursor): string {
  return [direction === "after" ? "a" : "b", ...keys.map((key) => key.toString(36))].join(".");
}

/** Parses our own cursor; rejects anything else. */
export function parseCursor(text: string, sources: number): Cursor {
  const [letter, ...parts] = text.split(".");
  const keys = parts.map((part) => (/^[0-9a-z]{1,12}$/.test(part) ? Number.parseInt(part, 36) : Number.NaN));
  if ((letter !== "a" && letter !== "b") || keys.length !== sources || !keys.every(Number.isSafeInteger)) {
    const hint = "Use the `cursor` or `older` of an earlier answer, or none for the newest items.";
    throw new AoError({ code: "usage", message: "unknown cursor", hint });
  }
  return { direction: letter === "a" ? "after" : "before", keys };
}
