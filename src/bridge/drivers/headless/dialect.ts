import type { DriverSetup, Prompt } from "../../driver.ts";
import type { ChildEnd } from "../../kit/child.ts";
import type { ReportCall, Step } from "../../kit/reducer.ts";

/** What is specific to a program that runs once per turn. It starts nothing by itself. */
export interface Dialect<State> {
  /** What people call it. */
  readonly title: string;
  /** The program, and arguments that come first. */
  readonly command: readonly string[];
  readonly output: Output<State>;
  /** Returns the id of a new conversation; rejects, with one sentence for a person, if it cannot start one. */
  begin(run: Run): Promise<string>;
  /** How to start the program for a prompt. Everything it reads is on disk when this returns. */
  launch(conversation: string, prompt: Prompt): Launch;
  /** Do the program's own records have this prompt? Null: unknown. Absent: the bridge relies on its memory. */
  hasTaken?(promptId: string): boolean | null;
  /** Removes what the program left in the workspace; called before the first turn and after each. */
  tidy?(): void;
}

/** A reducer over the program's output in a turn, and the meaning of its exit. */
export interface Output<State> {
  begin(promptId: string): State;
  line(state: State, text: string, now: Date): Step<State>;
  /** The program exited by itself. The last report ends the turn. */
  exit(state: State, end: ChildEnd, now: Date): readonly ReportCall[];
}

/** One start of the program. */
export interface Launch {
  readonly args: readonly string[];
  /** The whole environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** All of its standard input. */
  readonly input: string;
}

/** Runs the program to its end, outside the turns. */
export type Run = (launch: Launch) => Promise<{ readonly lines: readonly string[]; readonly end: ChildEnd }>;

export type CreateDialect<State> = (setup: DriverSetup) => Dialect<State>;

/** The text as prose: hides a first character that the program would take for a command. */
export function asProse(text: string): string {
  return /^\s*[/!&]/.test(text) ? `The message:\n${text}` : text;
}
