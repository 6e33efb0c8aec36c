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
  // Lines of text are only looked at when the agent reports something.
  let text: { readonly bytes: Uint8Array; readonly start: number; end: number } | null = null;

  const release = (): void => {
    if (text === null) return;
    const lines = decoder.decode(text.bytes.subarray(Math.max(text.start, text.end - MAX_WORDS), text.end));
    text = null;
    repeats.addOutput(
      form === "terminal"
        ? lines
            .split("\n")
            .map((line) => shownIn(line, form))
            .join("\n")
        : lines,
    );
  };

  const takeText = ({ bytes, start, end }: RawLine): number => {
    if (form === "plain") return latest;
    if (text?.bytes === bytes) text.end = end;
    else text = { bytes, start, end };
    return latest;
  };

  const takeSignal = (signal: AgentSignal): number | null => {
    const isRepeated = repeats.report(signal);
    const anchor = "id" in signal ? timeOf(`${signal.kind}:${signal.id}`) : undefined;
    latest = Math.max(latest, anchor ?? 0);
    return hasNote(signal) && !isRepeated ? latest : null;
  };

  return {
    take: (line) => {
      const { bytes, start, end, hasBrace } = line;
      if (form === "plain" || !hasBrace || end - start > MAX_LINE) return takeText(line);
      const shown = shownIn(decoder.decode(bytes.subarray(start, end)), form);
      const decoded = decodeTranscriptLine(shown);
      const signal = decoded === null ? decodeSignal(shown) : null;
      if (decoded === null && signal === null) return takeText(line);
      release();
      if (signal !== null) return takeSignal(signal);
      if (decoded !== null) repeats.addOutput(decoded);
      latest = Math.max(latest, decoded?.at ?? 0);
      return latest;
    },
    release,
    isRepeated: repeats.has,
  };
}

function hasNote(signal: AgentSignal): boolean {
  return signal.kind === "status" && signal.state !== "idle" && signal.note !== null;
}
