import type { Prompt } from "../../driver.ts";
import type { ChildEnd } from "../../kit/child.ts";
import { type ReportCall, type Step, step } from "../../kit/reducer.ts";
import type { Dialect } from "./dialect.ts";

/** Everything the driver knows about its conversation. */
export interface HeadlessState<Output> {
  /** Null between turns. */
  readonly turn: Turn<Output> | null;
  readonly isClosing: boolean;
}

interface Turn<Output> {
  readonly promptId: string;
  readonly isAccepted: boolean;
  readonly isInterrupted: boolean;
  readonly output: Output;
}

/** Anything that can happen to the driver. */
export type HeadlessNotice =
  | { readonly kind: "prompt"; readonly prompt: Prompt }
  | { readonly kind: "line"; readonly text: string; readonly now: Date }
  /** The program's own records have the prompt. */
  | { readonly kind: "recorded" }
  | { readonly kind: "exited"; readonly end: ChildEnd; readonly wasStarted: boolean; readonly now: Date }
  /** The processes of an interrupted program are gone. */
  | { readonly kind: "leftovers-ended" }
  | { readonly kind: "interrupt" }
  | { readonly kind: "close" };

/** Requests to the shell. */
export type HeadlessRequest =
  | { readonly kind: "start"; readonly prompt: Prompt }
  | { readonly kind: "stop" }
  | { readonly kind: "end-leftovers" };

type HeadlessStep<Output> = Step<HeadlessState<Output>, HeadlessRequest>;

/** Creates the driver's reducer for one program. */
export function createHeadlessReducer<Output>(dialect: Pick<Dialect<Output>, "title" | "command" | "output">) {
  return (state: HeadlessState<Output>, notice: HeadlessNotice): HeadlessStep<Output> => {
    if (notice.kind === "prompt") {
      const { id: promptId } = notice.prompt;
      const output = dialect.output.begin(promptId);
      const turn = { promptId, isAccepted: false, isInterrupted: false, output };
      return step({ ...state, turn }, [], [{ kind: "start", prompt: notice.prompt }]);
    }
    if (notice.kind === "close") return step({ ...state, isClosing: true }, [], [{ kind: "stop" }]);
    if (state.turn === null || state.isClosing) return step(state);
    switch (notice.kind) {
      case "line":
        return state.turn.isInterrupted ? step(state) : onLine(dialect, state.turn, notice);
      case "recorded":
        return onReports(state.turn, [["accepted", state.turn.promptId]]);
      case "exited":
        return onExit(dialect, state.turn, notice);
      case "leftovers-ended":
        return step({ ...state, turn: null }, [["ended", { kind: "interrupted" }]]);
      case "interrupt":
        return step({ ...state, turn: { ...state.turn, isInterrupted: true } }, [], [{ kind: "stop" }]);
    }
  };
}

/** The state before the first turn. */
export const NO_TURN = { turn: null, isClosing: false } as const;

function onLine<Output>(
  { output }: Pick<Dialect<Output>, "output">,
  turn: Turn<Output>,
  { text, now }: Extract<HeadlessNotice, { readonly kind: "line" }>,
): HeadlessStep<Output> {
  const next = output.line(turn.output, text, now);
  return onReports({ ...turn, output: next.state }, next.reports);
}

// Both the records and the program's output may show that it has the prompt.
function onReports<Output>(turn: Turn<Output>, reports: readonly ReportCall[]): HeadlessStep<Output> {
  const isAccepted = turn.isAccepted || reports.some(([name]) => name === "accepted");
  const fresh = turn.isAccepted ? reports.filter(([name]) => name !== "accepted") : reports;
  return step({ turn: { ...turn, isAccepted }, isClosing: false }, fresh);
}

function onExit<Output>(
  dialect: Pick<Dialect<Output>, "title" | "command" | "output">,
  turn: Turn<Output>,
  { end, wasStarted, now }: Extract<HeadlessNotice, { readonly kind: "exited" }>,
): HeadlessStep<Output> {
  // Processes started by its tools do not end with it.
  if (turn.isInterrupted && end.code !== 0) {
    return step({ turn, isClosing: false }, [], [{ kind: "end-leftovers" }]);
  }
  if (!wasStarted) return step(NO_TURN, [["ended", { kind: "failed", reason: describeEnd(dialect, end) }]]);
  if (wasKilled(end)) return step(NO_TURN, [["gone", describeEnd(dialect, end)]]);
  return step(NO_TURN, dialect.output.exit(turn.output, end, now));
}

// Behind a shell a signal becomes an exit code.
function wasKilled({ code }: ChildEnd): boolean {
  return code === null || code > 128;
}

function describeEnd(
  { title, command }: { readonly title: string; readonly command: readonly string[] },
  { how, stderr }: ChildEnd,
): string {
  const last = stderr.split("\n").at(-1) ?? "";
  return `${title} (${command[0]}) is gone: ${how}${last === "" ? "" : `: ${last}`}`;
}
