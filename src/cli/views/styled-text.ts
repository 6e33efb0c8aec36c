import { widthOf } from "./text-width.ts";

/** A text in one style. */
export interface Piece {
  readonly text: string;
  readonly paint?: (text: string) => string;
}

/** Wraps pieces into lines of this many columns, between words or inside a word that is longer than a line. */
export function wrapPieces(pieces: readonly Piece[], width: number): readonly string[] {
  const room = Math.max(8, width);
  const lines: Piece[][] = [[]];
  let used = 0;
  const breakLine = (): void => {
    lines.push([]);
    used = 0;
  };
  const put = (text: string, paint: Piece["paint"]): void => {
    lines.at(-1)?.push(paint === undefined ? { text } : { text, paint });
    used += widthOf(text);
  };
  for (const { text, paint } of pieces) {
    for (const part of partsOf(text, room)) {
      const isBlank = part.trim() === "";
      if (part === "\n" || used + widthOf(part) > room) breakLine();
      if (part !== "\n" && !(isBlank && used === 0 && lines.length > 1)) put(part, paint);
    }
  }
  return lines.map(show);
}

/** The same for each line of a plain text. */
export function wrapText(text: string, width: number): readonly string[] {
  return wrapPieces([{ text }], width);
}

// Adjacent pieces in the same style are painted together; trailing blanks are dropped.
function show(line: readonly Piece[]): string {
  const joined: { text: string; paint: Piece["paint"] }[] = [];
  for (const { text, paint } of line) {
    const last = joined.at(-1);
    if (last !== undefined && last.paint === paint) last.text += text;
    else joined.push({ text, paint });
  }
  const last = joined.at(-1);
  if (last !== undefined) last.text = last.text.trimEnd();
  return joined.map(({ text, paint }) => (paint === undefined || text === "" ? text : paint(text))).join("");
}

// Line breaks, blanks, and words that fit on a line.
function partsOf(text: string, room: number): readonly string[] {
  return text
    .split(/(\n| +)/)
    .filter((part) => part !== "")
    .flatMap((part) => chop(part, room));
}

function chop(word: string, width: number): readonly string[] {
  if (widthOf(word) <= width) return [word];
  const parts: string[] = [];
  let part = "";
  let used = 0;
  for (const character of word) {
    const columns = widthOf(character);
    if (part !== "" && used + columns > width) {
      parts.push(part);
      part = "";
      used = 0;
    }
    part += character;
    used += columns;
  }
  return [...parts, part];
}
