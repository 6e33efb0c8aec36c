import { decodeTranscriptLine } from "../core/transcript/line.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The signals to `ao` among an agent's output lines, parsed; omits lines for the transcript only. */
export function signalsOf(lines: readonly string[]): readonly Fields[] {
  return lines
    .filter((line) => line.startsWith("{") && decodeTranscriptLine(line) === null)
    .map((line) => JSON.parse(line) as Fields);
}

/** An agent's transcript entries, one short line each, without times. */
export function toldOf(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => {
    const entry = decodeTranscriptLine(line);
    if (entry === null) return [];
    if (entry.kind === "tool") return [`tool ${entry.name}: ${entry.title}`];
    if (entry.kind === "tool-result") return [`${entry.ok ? "ok" : "failed"}: ${entry.text}`];
    return [`${entry.kind}: ${entry.text}`];
  });
}
