// Each stops at the next escape, so that hostile text cannot make this slow.
const ESCAPES = [
  /\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?/g,
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?/g,
  /\x1b[ -/]*[0-~]?/g,
];

/** A program's output without terminal sequences: colors, titles, cursor movements. */
export function withoutEscapes(text: string): string {
  return ESCAPES.reduce((rest, pattern) => rest.replace(pattern, ""), text);
}

/** What a terminal finally shows of a line that was overwritten repeatedly, such as a progress bar. */
export function lastShown(line: string): string {
  const shown = line.replace(/\r+$/, "");
  return shown.slice(shown.lastIndexOf("\r") + 1);
}

/** Everything that controls a terminal, except tab and newline. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Does the text contain terminal controls? */
export function hasControls(text: string): boolean {
  return text.search(CONTROLS) >= 0;
}

/** The text without control characters; tabs and newlines stay. */
export function withoutControls(text: string): string {
  return text.replace(CONTROLS, "");
}
