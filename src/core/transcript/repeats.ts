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
  /** No more output will come: only the repeated summaries are kept. */
  end(): void;
}

/** Maximum words to search, and summaries to remember. */
const MAX_WORDS = 64 * 1024;
const MAX_KEY = 400;
const REMEMBERED = 10_000;

/** A summary repeats the last words of a turn, and a note the tool that started: a reader wants each of them once. */
export function createRepeats(): Repeats {
  const repeated = new Set<string>();
  const words = createWords();
  const isPrinted = (text: string): boolean => words.include(normalize(text));
  let lastNote = "";
  const isOldNote = (note: string): boolean => {
    const isOld = note === lastNote || isPrinted(note);
    lastNote = note;
    return isOld;
  };
  return {
    addOutput: (line) => {
      words.add(normalize(typeof line === "string" ? line : wordsOf(line)));
    },
    report: (signal) => {
      if (signal.kind === "status") return signal.note !== null && isOldNote(signal.note);
      if (signal.kind !== "done") return false;
      const isRepeated = isPrinted(signal.summary);
      words.clear();
      if (!isRepeated) return false;
      if (repeated.size >= REMEMBERED) repeated.clear();
      repeated.add(keyOf(signal.summary));
      return true;
    },
    has: (text) => repeated.has(keyOf(text)),
    end: words.clear,
  };
}

interface Words {
  add(text: string): void;
  include(text: string): boolean;
  clear(): void;
}

// Joining and cutting them for each line would copy all of them for every few words that an agent prints.
function createWords(): Words {
  let parts: string[] = [];
  let length = 0;
  let first = 0;
  const join = (): string => {
    const all = parts.slice(first).join(" ").slice(-MAX_WORDS);
    [parts, first, length] = [[all], 0, all.length + 1];
    return all;
  };
  return {
    add: (text) => {
      parts.push(text.length > MAX_WORDS ? text.slice(-MAX_WORDS) : text);
      length += text.length + 1;
      while (length - (parts[first]?.length ?? 0) - 1 >= MAX_WORDS) {
        length -= (parts[first]?.length ?? 0) + 1;
        first += 1;
      }
      // The oldest parts are gone; the list is shortened once in a while, so that it costs nothing for each line.
      if (first > parts.length / 2) [parts, first] = [parts.slice(first), 0];
    },
    include: (text) => join().includes(text),
    clear: () => {
      [parts, first, length] = [[], 0, 0];
    },
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
