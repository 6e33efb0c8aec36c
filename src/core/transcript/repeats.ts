import type { AgentSignal } from "../agent-signal.ts";
import type { TranscriptLine } from "./line.ts";

/** Which of an agent's reports to `ao` its output also contains. */
export interface Repeats {
  /** The agent printed this. */
  addOutput(line: TranscriptLine | string): void;
  /**
   * The agent reported this to `ao`. True: its summary or note was already printed, or the note repeats the last one.
   */
  report(signal: AgentSignal): boolean;
  /** Was this summary printed before it was reported? */
  has(text: string): boolean;
}

/** Maximum words to search, and summaries to remember. */
const MAX_WORDS = 64 * 1024;
const MAX_KEY = 400;
const REMEMBERED = 10_000;

/** A summary repeats the last words of a turn, and a note the tool that started: a reader wants each of them once. */
export function createRepeats(): Repeats {
  const repeated = new Set<string>();
  let words = "";
  const isPrinted = (text: string): boolean => words.includes(normalize(text));
  let lastNote = "";
  const isOldNote = (note: string): boolean => {
    const isOld = note === lastNote || isPrinted(note);
    lastNote = note;
    return isOld;
  };
  return {
    addOutput: (line) => {
      words = `${words} ${normalize(typeof line === "string" ? line : wordsOf(line))}`.slice(-MAX_WORDS);
    },
    report: (signal) => {
      if (signal.kind === "status") return signal.note !== null && isOldNote(signal.note);
      if (signal.kind !== "done") return false;
      const isRepeated = isPrinted(signal.summary);
      words = "";
      if (!isRepeated) return false;
      if (repeated.size >= REMEMBERED) repeated.clear();
      repeated.add(keyOf(signal.summary));
      return true;
    },
    has: (text) => repeated.has(keyOf(text)),
  };
}

function wordsOf(line: TranscriptLine): string {
  return line.kind === "tool" ? `${line.name}: ${line.title}` : line.text;
}

// A cut text ends with a mark that the whole text does not have.
function normalize(text: string): string {
  return text.replace(/…$/, "").replace(/\s+/g, " ").trim();
}

function keyOf(text: string): string {
  return normalize(text).slice(0, MAX_KEY);
}
