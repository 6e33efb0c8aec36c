/** A command of a check, and what it needs to see. */
export interface CheckCommand {
  readonly stage: "set-up" | "run";
  readonly argv: readonly string[];
  readonly runDir: string;
  /** The checkout. */
  readonly tree: string;
  /** An empty folder of the attempt, for its home and temporary files; removed when it is over. */
  readonly scratch: string;
}

/** A part of what a check printed, set-up first, as plain text; full lines while it runs. */
export interface CheckLog {
  readonly text: string;
  /** Where the next part starts. */
  readonly cursor: number;
}

export type CheckAnswer =
  | { readonly kind: "passed"; readonly log: string; readonly tookMs: number }
  | { readonly kind: "failed"; readonly code: number; readonly log: string; readonly tookMs: number }
  | { readonly kind: "timed-out"; readonly log: string; readonly tookMs: number }
  /** The checkout could not be prepared; the change itself was not tested. */
  | { readonly kind: "setup-failed"; readonly log: string; readonly tookMs: number }
  | { readonly kind: "cancelled"; readonly reason: string };
