import type { Input } from "../core/input.ts";

export interface Submission {
  readonly input: Input;
  /** Read positions of an observation; committed with its events. */
  readonly positions?: readonly ReadPosition[];
  /** A command with this key is carried out once; a repetition gets the first answer. */
  readonly key?: string | undefined;
}

/** How far a source was read. */
export interface ReadPosition {
  readonly source: string;
  readonly position: number;
  /** Where this reading began; if more than that is committed already, nothing of the submission is recorded. */
  readonly from?: number;
}

/** The result of a submission whose range of a source was committed before. */
export const RECORDED_BEFORE = { recordedBefore: true } as const;

export type CommandResult = Readonly<Record<string, unknown>>;

/** A submission whose caller waits for the answer. */
export interface Waiting extends Submission {
  readonly resolve: (result: CommandResult) => void;
  readonly reject: (error: unknown) => void;
}
