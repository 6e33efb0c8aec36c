import { eastAsianWidth } from "get-east-asian-width";

const ASCII = /^[ -~]*$/;

let graphemes: Intl.Segmenter | undefined;

/** Columns that a text without colors takes on a terminal; wide characters and emoji take two. */
export function widthOf(text: string): number {
  // Almost every cell is plain ASCII, and a look at each of its characters would be felt in `ao list`.
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const grapheme of split(text)) width += widthOfGrapheme(grapheme);
  return width;
}

/** The beginning of a text that fits into a number of columns, with an ellipsis where something is missing. */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  if (columns < 1) return "";
  let out = "";
  let width = 1;
  for (const grapheme of split(text)) {
    width += widthOfGrapheme(grapheme);
    if (width > columns) break;
    out += grapheme;
  }
  return `${out}…`;
}

/** A text as people count its characters: an emoji with its parts is one. */
function split(text: string): readonly string[] {
  // Where no characters can join into one, a look at each code point is enough, and much faster.
  if (!/[\p{Mark}\p{Format}\p{Emoji_Presentation}\p{Regional_Indicator}\u1100-\u11FF]/u.test(text)) return [...text];
  graphemes ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

function widthOfGrapheme(grapheme: string): number {
  const code = grapheme.codePointAt(0) ?? 0;
  if (grapheme.length === 1 && code < 0x300) return 1;
  // These sets of characters are built when the first such character is met: a short command would notice the millisecond.
  if (/^[\p{Mark}\p{Format}\u200B]+$/u.test(grapheme)) return 0;
  return /\p{Emoji_Presentation}|\uFE0F|\p{Regional_Indicator}/u.test(grapheme) ? 2 : eastAsianWidth(code);
}
