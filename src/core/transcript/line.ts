import { type Fields, parseFields } from "../protocol-fields.ts";

/**
 * Lines with which an agent reports its transcript: output for people, never events. Each may carry its time, in
 * milliseconds.
 */
export type TranscriptLine = TranscriptEntry & { readonly at: number | null };

type TranscriptEntry =
  /** The agent's words, in Markdown. */
  | { readonly kind: "say"; readonly text: string }
  /** A tool was called; its result comes with the same id. */
  | {
      readonly kind: "tool";
      readonly id: string;
      readonly name: string;
      /** What it does, such as the command; one line or more. */
      readonly title: string;
      /** Its other input; null if the title says everything. */
      readonly input: string | null;
    }
  | {
      readonly kind: "tool-result";
      readonly id: string;
      readonly ok: boolean;
      readonly text: string;
      readonly omitted: number;
    }
  /** What a person typed in the agent's own interface. */
  | { readonly kind: "prompt"; readonly text: string }
  /** Anything else that is worth a line. */
  | { readonly kind: "note"; readonly text: string };

/** Maximum result, input and note length of a line, in characters; the rest is counted, not kept. */
export const MAX_RESULT = 16 * 1024;
const MAX_SAY = 64 * 1024;
const MAX_TITLE = 4000;
/** A longer line is plain output, whatever it contains. */
const MAX_LINE = 1024 * 1024;

/** The line of an entry, with its newline; cuts long texts. */
export function encodeTranscriptLine({ at, ...entry }: TranscriptLine): string {
  const time = at === null ? {} : { at: new Date(at).toISOString() };
  return `${JSON.stringify({ ...toFields(entry), ...time })}\n`;
}

function toFields(entry: TranscriptEntry): Fields {
  switch (entry.kind) {
    case "say":
      return { type: "say", text: cut(entry.text, MAX_SAY) };
    case "tool": {
      const input = entry.input === null ? {} : { input: cut(entry.input, MAX_RESULT) };
      return { type: "tool", id: entry.id, name: entry.name, title: cut(entry.title, MAX_TITLE), ...input };
    }
    case "tool-result": {
      const omitted = entry.omitted + Math.max(0, entry.text.length - MAX_RESULT);
      const text = entry.text.slice(0, MAX_RESULT);
      return { type: "tool-result", id: entry.id, ok: entry.ok, text, ...(omitted === 0 ? {} : { omitted }) };
    }
    case "prompt":
      return { type: "prompt", text: cut(entry.text, MAX_SAY) };
    case "note":
      return { type: "note", text: cut(entry.text, MAX_RESULT) };
  }
}

/** Decodes a line that an agent printed; null for anything else. */
export function decodeTranscriptLine(line: string): TranscriptLine | null {
  if (line.length > MAX_LINE) return null;
  const said = parseFields(line);
  const entry = said === null ? null : readEntry(said);
  return entry === null ? null : { ...entry, at: readTime(said?.["at"]) };
}

function readEntry(said: Fields): TranscriptEntry | null {
  const { type, id, text = "" } = said;
  if (typeof text !== "string") return null;
  switch (type) {
    case "say":
    case "prompt":
    case "note":
      return text === "" ? null : { kind: type, text };
    case "tool":
      return readTool(said);
    case "tool-result":
      return isName(id)
        ? { kind: "tool-result", id, ok: said["ok"] !== false, text, omitted: readCount(said["omitted"]) }
        : null;
    default:
      return null;
  }
}

function readTool({ id, name, title, input }: Fields): TranscriptEntry | null {
  if (!isName(id)) return null;
  const called = isName(name) ? name : "tool";
  return {
    kind: "tool",
    id,
    name: called,
    title: isName(title) ? title : called,
    input: input === undefined || input === null ? null : typeof input === "string" ? input : JSON.stringify(input),
  };
}

function readTime(value: unknown): number | null {
  const time = typeof value === "string" ? Date.parse(value) : value;
  return typeof time === "number" && Number.isFinite(time) && Math.abs(time) <= 8.64e15 ? time : null;
}

function readCount(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : 0;
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`;
}
