import { writeOutHidden } from "../../core/hidden-characters.ts";

/**
 * Text of others for a terminal: newlines are kept, a tab is an arrow and three spaces, and whatever else would steer the terminal or
 * hide from a reader is written out, such as `\x1b` or `\u202e`.
 */
export function visible(text: string): string {
  return writeOutHidden(text).replace(/\t/g, "→   ");
}

/** A program's output for a terminal: its colors are left out, since they only decorate, and everything else is written out. */
export function visibleOutput(text: string): string {
  return writeOutHidden(text.replace(/\u001b\[[0-9;:]*m/g, ""));
}

const PLAIN_LINE = /^[ -~]*$/;

/** Text of others in one line, with newlines as ⏎. */
export function visibleLine(text: string): string {
  if (PLAIN_LINE.test(text)) return text.trim();
  return visible(text).trim().replace(/\n/g, " ⏎ ");
}
