/** The files that grow with what the program of a run prints. */
export type OutputFile = "out" | "err";

/** How long an output file is, and when something was last printed to it. */
export interface OutputSize {
  readonly bytes: number;
  readonly changedAt: number;
}

/** The part of a file to read: at most so many bytes from an offset on. */
export interface OutputRange {
  readonly from: number;
  readonly max: number;
  /** The page may use this memory, which the caller uses again; absent: it gets its own. */
  readonly into?: Uint8Array;
}

/**
 * What the runs of one session printed: the read side of the channel to a run. A file only grows, and its bytes stay as
 * they are, except that the oldest ones of a long output are freed and then read as zeros. An answer that was cut is a
 * beginning: the next call continues after it.
 */
export interface RunOutput {
  /** null: there is no such file. */
  size(run: number, file: OutputFile): Promise<OutputSize | null>;
  /** A page, never longer than a megabyte whatever is asked for; empty at the end of the file. */
  read(run: number, file: OutputFile, range: OutputRange): Promise<Uint8Array>;
}

/** The longest page. */
export const MAX_OUTPUT_PAGE = 1024 * 1024;

/** How much of a file's end is certainly kept (`src/engine/bound-output.ts`); nobody needs to read what is before it. */
export const KEPT_OUTPUT = 40 * 1024 * 1024;

/** Where reading a file of this length begins. */
export function outputStart(bytes: number): number {
  return Math.max(0, bytes - KEPT_OUTPUT);
}
