import { decodeSignal } from "../../core/lines-protocol.ts";
import { lastShown, withoutEscapes } from "../../core/terminal-text.ts";
import { decodeTranscriptLine, type TranscriptLine } from "../../core/transcript/line.ts";
import type { OutputFile } from "../../ports/run-output.ts";
import type { TranscriptContent } from "../../protocol/views/transcript.ts";
import { describeEvent } from "../event-text.ts";

/** lines: JSON lines among others; terminal: the same among terminal sequences; plain: never JSON. */
export type OutputForm = "lines" | "terminal" | "plain";

/** Maximum length of a shown plain line. */
const MAX_TEXT = 16 * 1024;

/** The transcript item of an output line, and when it was printed, if known. */
export function toContent(
  text: string,
  stream: OutputFile,
  form: OutputForm,
): { readonly at: number | null; readonly content: TranscriptContent } {
  const shown = shownIn(text, form);
  const decoded = form !== "plain" && stream === "out" ? decodeTranscriptLine(shown) : null;
  if (decoded !== null) return { at: decoded.at, content: contentOf(decoded) };
  const signal = form !== "plain" && stream === "out" ? decodeSignal(shown) : null;
  if (signal?.kind === "status") return { at: null, content: noteOf(signal.state, signal.note) };
  const kept = shown.length > MAX_TEXT ? `${shown.slice(0, MAX_TEXT)}…` : shown;
  return { at: null, content: { kind: "output", stream, text: kept } };
}

// The log has a report only if it changes the agent's state; its note is shown here either way.
function noteOf(state: "working" | "idle" | "waiting", note: string | null): TranscriptContent {
  const type = "agent.reported";
  return {
    kind: "event",
    type,
    level: "info",
    text: describeEvent({ type, state, note: note?.slice(0, MAX_TEXT) ?? null }),
  };
}

/** What a reader of the terminal, or of the file, sees of a line. */
export function shownIn(line: string, form: OutputForm): string {
  return form === "terminal" ? lastShown(withoutEscapes(line)) : line;
}

function contentOf(line: TranscriptLine): TranscriptContent {
  switch (line.kind) {
    case "say":
      return { kind: "say", text: line.text };
    case "tool":
      return { kind: "tool", tool: line.id, name: line.name, title: line.title, input: line.input };
    case "tool-result":
      return { kind: "result", tool: line.id, ok: line.ok, text: line.text, omitted: line.omitted };
    case "prompt":
      return { kind: "message", from: "terminal", text: line.text, about: null };
    case "note":
      return { kind: "event", type: "note", level: "info", text: line.text };
  }
}
