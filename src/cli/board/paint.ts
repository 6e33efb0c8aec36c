import { cut, widthOf } from "../views/text-width.ts";
import { visible } from "../views/visible.ts";

const COLORS = /\u001b\[[0-9;]*m/g;

/** Columns of a text that may contain colors. */
export function paintedWidth(text: string): number {
  return widthOf(text.replace(COLORS, ""));
}

/** Pads a painted text to this many columns; does not cut it. */
export function padTo(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - paintedWidth(text)));
}

/** Left and right text on one line; the right one is cut if necessary. */
export function bothSides(left: string, right: string, columns: number): string {
  const room = columns - paintedWidth(left) - paintedWidth(right);
  return room < 1 ? left : left + " ".repeat(room) + right;
}

/** Foreign text in lines of this many columns, wrapped between words; at most `most` lines. */
export function wrapWords(text: string, columns: number, most = Number.POSITIVE_INFINITY): readonly string[] {
  const lines = visible(text.trim())
    .split("\n")
    .flatMap((line) => wrapLine(line, Math.max(1, columns)));
  if (lines.length <= most) return lines;
  const kept = lines.slice(0, most);
  return [...kept.slice(0, -1), cut(`${kept.at(-1) ?? ""} …`, columns)];
}

/** Painted lines of text, in pieces that fit: long lines continue below, so that nothing is lost. */
export function wrapPainted(lines: readonly string[], columns: number): readonly string[] {
  return lines.flatMap((line) => (paintedWidth(line) <= columns ? [line] : breakPainted(line, columns)));
}

function wrapLine(line: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(" ")) {
    const longer = current === "" ? word : `${current} ${word}`;
    if (widthOf(longer) <= columns) {
      current = longer;
      continue;
    }
    if (current !== "") lines.push(current);
    const pieces = breakPainted(word, columns);
    lines.push(...pieces.slice(0, -1));
    current = pieces.at(-1) ?? "";
  }
  return [...lines, current];
}

// A color that is active at the break is turned off there and on again below.
function breakPainted(line: string, columns: number): readonly string[] {
  const pieces: string[] = [];
  let piece = "";
  let used = 0;
  let color = "";
  for (const part of line.split(/(\u001b\[[0-9;]*m)/)) {
    if (part.startsWith("\u001b[")) {
      color = part === "\u001b[0m" ? "" : color + part;
      piece += part;
      continue;
    }
    for (const character of part) {
      const width = widthOf(character);
      if (used + width > columns && used > 0) {
        pieces.push(color === "" ? piece : `${piece}\u001b[0m`);
        piece = color;
        used = 0;
      }
      piece += character;
      used += width;
    }
  }
  return [...pieces, piece];
}
