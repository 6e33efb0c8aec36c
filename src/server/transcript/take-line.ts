import type { AgentSignal } from "../../core/agent-signal.ts";
import { decodeSignal, MAX_LINE } from "../../core/lines-protocol.ts";
import { decodeTranscriptLine } from "../../core/transcript/line.ts";
import { createRepeats } from "../../core/transcript/repeats.ts";
import { type OutputForm, shownIn } from "./output-content.ts";

/** A line among the bytes that were read. */
export interface RawLine {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  /** Only then can it be more than text. */
  readonly hasBrace: boolean;
}

/** Decides line by line what of an agent's output is shown, and when it was printed. */
export interface LineTaker {
  /** The time of a line; null: it is not shown. */
  take(line: RawLine): number | null;
  /** The bytes of the lines so far are about to go. */
  release(): void;
  /** Was this summary printed before the agent reported it? */
  isRepeated(text: string): boolean;
  /** The latest time that a line told; null: none did. */
  seenTime(): number | null;
  /** All lines were taken. */
  end(): void;
}

export interface TakerFacts {
  readonly form: OutputForm;
  /** Nothing was printed before this. */
  readonly notBefore: number;
  /** When something happened according to the log, such as `received:m-1`. */
  timeOf(name: string): number | undefined;
}

/** More text than this before a summary does not matter. */
const MAX_WORDS = 64 * 1024;
const decoder = new TextDecoder();

/** Takes lines in the order in which they were printed. */
export function createLineTaker({ form, notBefore, timeOf }: TakerFacts): LineTaker {
  const repeats = createRepeats();
  // Times never go back; a line without a time gets that of the line before it.
  let latest = notBefore;
  let seen: number | null = null;
  // Lines of text are only looked at when the agent reports something.
  let text: { readonly bytes: Uint8Array; readonly start: number; end: number } | null = null;

  const release = (): void => {
    if (text !== null) repeats.addOutput(wordsOf(text, form));
    text = null;
  };

  const takeText = ({ bytes, start, end }: RawLine): number => {
    if (form === "plain") return latest;
    if (text?.bytes === bytes) text.end = end;
    else text = { bytes, start, end };
    return latest;
  };

  const see = (time: number | null | undefined): void => {
    seen = Math.max(seen ?? 0, time ?? 0) || null;
    latest = Math.max(latest, time ?? 0);
  };

  const takeSignal = (signal: AgentSignal): number | null => {
    const isRepeated = repeats.report(signal);
    if ("id" in signal) see(timeOf(`${signal.kind}:${signal.id}`));
    return hasNote(signal) && !isRepeated ? latest : null;
  };

  return {
    take: (line) => {
      if (form === "plain" || !line.hasBrace || line.end - line.start > MAX_LINE) return takeText(line);
      const shown = shownIn(decoder.decode(line.bytes.subarray(line.start, line.end)), form);
      const decoded = decodeTranscriptLine(shown);
      const signal = decoded === null ? decodeSignal(shown) : null;
      if (decoded === null && signal === null) return takeText(line);
      release();
      if (decoded === null) return signal === null ? null : takeSignal(signal);
      repeats.addOutput(decoded);
      see(decoded.at);
      return latest;
    },
    release,
    isRepeated: repeats.has,
    seenTime: () => seen,
    end: repeats.end,
  };
}

// A program's terminal shows other words than it printed.
function wordsOf({ bytes, start, end }: Omit<RawLine, "hasBrace">, form: OutputForm): string {
  const lines = decoder.decode(bytes.subarray(Math.max(start, end - MAX_WORDS), end));
  if (form !== "terminal") return lines;
  return lines
    .split("\n")
    .map((line) => shownIn(line, form))
    .join("\n");
}

function hasNote(signal: AgentSignal): boolean {
  return signal.kind === "status" && signal.state !== "idle" && signal.note !== null;
}
