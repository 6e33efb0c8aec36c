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
    const told = decodeTranscriptLine(line);
    if (told === null) return [];
    if (told.kind === "tool") return [`tool ${told.name}: ${told.title}`];
    if (told.kind === "tool-result") return [`${told.ok ? "ok" : "failed"}: ${told.text}`];
    return [`${told.kind}: ${told.text}`];
  });
}
