import type { AgentSignal } from "../agent-signal.ts";
import type { TranscriptLine } from "./line.ts";

/** Which of the things that an agent reports to `ao` its output says as well. */
export interface Repeats {
  /** The agent printed this. */
  hear(line: TranscriptLine | string): void;
  /** The agent reported this to `ao`. */
  report(signal: AgentSignal): void;
  /** Was this summary or note of a report to be read before it came? */
  has(text: string): boolean;
}

/** Words that are looked through, and reports that are remembered. */
const MAX_WORDS = 64 * 1024;
const MAX_KEY = 400;
const REMEMBERED = 10_000;

/** A summary repeats the last words of a turn, and a note the tool that began: a reader wants each of them once. */
export function createRepeats(): Repeats {
  const repeated = new Set<string>();
  let words = "";
  const check = (text: string): void => {
    if (!words.includes(normalize(text))) return;
    if (repeated.size >= REMEMBERED) repeated.clear();
    repeated.add(keyOf(text));
  };
  return {
    hear: (line) => {
      words = `${words} ${normalize(typeof line === "string" ? line : wordsOf(line))}`.slice(-MAX_WORDS);
    },
    report: (signal) => {
      if (signal.kind === "status" && signal.note !== null) check(signal.note);
      if (signal.kind !== "done") return;
      check(signal.summary);
      words = "";
    },
    has: (text) => repeated.has(keyOf(text)),
  };
}

function wordsOf(line: TranscriptLine): string {
  return line.kind === "tool" ? `${line.name}: ${line.title}` : line.text;
}

// What was cut ends with a mark that the whole text does not have.
function normalize(text: string): string {
  return text.replace(/…$/, "").replace(/\s+/g, " ").trim();
}

function keyOf(text: string): string {
  return normalize(text).slice(0, MAX_KEY);
}
