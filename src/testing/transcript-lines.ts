import { decodeTranscriptLine } from "../core/transcript/line.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Lines to `ao` among those that an agent printed, as their fields; what is for the transcript alone is left out. */
export function signalsOf(lines: readonly string[]): readonly Fields[] {
  return lines
    .filter((line) => line.startsWith("{") && decodeTranscriptLine(line) === null)
    .map((line) => JSON.parse(line) as Fields);
}

/** What an agent told for the transcript, a short line for each, without times. */
export function toldOf(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => {
    const told = decodeTranscriptLine(line);
    if (told === null) return [];
    if (told.kind === "tool") return [`tool ${told.name}: ${told.title}`];
    if (told.kind === "tool-result") return [`${told.ok ? "ok" : "failed"}: ${told.text}`];
    return [`${told.kind}: ${told.text}`];
  });
}
