import type { DriverSetup, Prompt } from "../../driver.ts";
import type { ChildEnd } from "../../kit/child.ts";
import type { ReportCall, Step } from "../../kit/reducer.ts";

/** What is particular about a program that runs once for each turn. It starts nothing by itself. */
export interface Dialect<State> {
  /** What people call it. */
  readonly title: string;
  /** The program, and arguments that come before all others. */
  readonly command: readonly string[];
  readonly output: Output<State>;
  /** Gets the id of a new conversation; rejects, with one sentence for a person, when there will be none. */
  begin(run: Run): Promise<string>;
  /** How the program is started for a prompt. All that it reads is on disk when this returns. */
  launch(conversation: string, prompt: Prompt): Launch;
  /** Do the program's own records have this prompt? Null: they do not say. Without it the bridge goes by its memory. */
  hasTaken?(promptId: string): boolean | null;
  /** Takes out of the workspace what the program left there; before the first turn, and after each. */
  tidy?(): void;
}

/** What the program prints in a turn, as a reducer, and what its exit means. */
export interface Output<State> {
  begin(promptId: string): State;
  line(state: State, text: string, now: Date): Step<State>;
  /** The program exited by itself. The last report is the end of the turn. */
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

/** Runs the program to its end, beside the turns. */
export type Run = (launch: Launch) => Promise<{ readonly lines: readonly string[]; readonly end: ChildEnd }>;

export type CreateDialect<State> = (setup: DriverSetup) => Dialect<State>;

/** The text as words: a first character that the program would take for a command of its own is hidden. */
export function asProse(text: string): string {
  return /^\s*[/!&]/.test(text) ? `The message:\n${text}` : text;
}
