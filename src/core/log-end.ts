import { removeHidden } from "./hidden-characters.ts";
import { lastShown, withoutEscapes } from "./terminal-text.ts";

const MAX_LINES = 200;
const MAX_BYTES = 16 * 1024;
// Colors and progress bars take room that the reader never sees.
const RAW_CHARS = 256 * 1024;

/** The end of a program's output as plain text, of any length: at most 200 lines and 16 KiB. */
export function endOfLog(text: string): string {
  const raw = text.length <= RAW_CHARS ? text : fullLines(text.slice(-RAW_CHARS));
  return boundEnd(toPlainText(raw.trimEnd()).split("\n").slice(-MAX_LINES).join("\n"));
}

/** What a program printed as plain text: no colors, nothing hidden, and of a line that was written over only what stays. */
export function toPlainText(text: string): string {
  return withoutEscapes(text)
    .split("\n")
    .map((line) => removeHidden(lastShown(line)).trimEnd())
    .join("\n");
}

function boundEnd(text: string): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= MAX_BYTES) return text;
  return fullLines(new TextDecoder().decode(bytes.subarray(bytes.length - MAX_BYTES)).replace(/^\ufffd+/, ""));
}

// The first line may be partial, unless it is the only one.
function fullLines(text: string): string {
  const newline = text.indexOf("\n");
  return newline < 0 ? text : text.slice(newline + 1);
}
