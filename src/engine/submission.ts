import type { Input } from "../core/input.ts";

export interface Submission {
  readonly input: Input;
  /** Read positions of an observation; committed with its events. */
  readonly positions?: readonly { readonly source: string; readonly position: number }[];
  /** A command with this key is carried out once; a repetition gets the first answer. */
  readonly key?: string | undefined;
}

export type CommandResult = Readonly<Record<string, unknown>>;

/** A submission whose caller waits for the answer. */
export interface Waiting extends Submission {
  readonly resolve: (result: CommandResult) => void;
  readonly reject: (error: unknown) => void;
}
