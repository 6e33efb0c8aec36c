import { eastAsianWidth } from "get-east-asian-width";

const ASCII = /^[ -~]*$/;

let graphemes: Intl.Segmenter | undefined;

/** The columns of a text without colors on a terminal; wide characters and emoji take two. */
export function widthOf(text: string): number {
  // Almost every cell is plain ASCII, and checking each character would slow down `ao list`.
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const grapheme of split(text)) width += widthOfGrapheme(grapheme);
  return width;
}

/** The start of a text that fits into this many columns, with an ellipsis if it is cut. */
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

/** The characters of a text as people count them: an emoji with its parts is one. */
function split(text: string): readonly string[] {
  // If no characters can combine, splitting by code point is enough, and much faster.
  if (!/[\p{Mark}\p{Format}\p{Emoji_Presentation}\p{Regional_Indicator}\u1100-\u11FF]/u.test(text)) return [...text];
  graphemes ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

function widthOfGrapheme(grapheme: string): number {
  const code = grapheme.codePointAt(0) ?? 0;
  if (grapheme.length === 1 && code < 0x300) return 1;
  // These character sets are built on first use: a short command would notice the millisecond.
  if (/^[\p{Mark}\p{Format}\u200B]+$/u.test(grapheme)) return 0;
  return /\p{Emoji_Presentation}|\uFE0F|\p{Regional_Indicator}/u.test(grapheme) ? 2 : eastAsianWidth(code);
}
