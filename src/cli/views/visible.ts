import { writeOutHidden } from "../../core/hidden-characters.ts";

/**
 * Foreign text for a terminal: keeps newlines, shows a tab as an arrow and three spaces, and makes anything else
 * visible that would control the terminal or hide from a reader, such as `\x1b` or `\u202e`.
 */
export function visible(text: string): string {
  return writeOutHidden(text).replace(/\t/g, "→   ");
}

/**
 * A program's output for a terminal: drops its colors, which only decorate, and makes other control characters visible.
 */
export function visibleOutput(text: string): string {
  return writeOutHidden(text.replace(/\u001b\[[0-9;:]*m/g, ""));
}

const PLAIN_LINE = /^[ -~]*$/;

/** Foreign text on one line, with newlines as ⏎. */
export function visibleLine(text: string): string {
  if (PLAIN_LINE.test(text)) return text.trim();
  return visible(text).trim().replace(/\n/g, " ⏎ ");
}
