// Everything that a terminal obeys or does not show: control characters, invisible and direction-changing ones, line separators, tags.
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Variation_Selector}]/gu;
// Inside of an emoji a joiner and a variation selector belong to the picture.
const EMOJI_PART = /(?<=\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\ufe0f)*)(?:\ufe0f|\u200d)/uy;

/**
 * Text of others for a terminal: newlines are kept, a tab is an arrow and three spaces, and whatever else would steer the terminal or
 * hide from a reader is written out, such as `\x1b` or `\u202e`.
 */
export function visible(text: string): string {
  return text.replace(HIDDEN, (character, offset: number) => {
    if (character === "\n") return character;
    if (character === "\t") return "→   ";
    EMOJI_PART.lastIndex = offset;
    return EMOJI_PART.test(text) ? character : escapeOf(character);
  });
}

/** The same in one line, with newlines as ⏎. */
export function visibleLine(text: string): string {
  return visible(text).trim().replace(/\n/g, " ⏎ ");
}

function escapeOf(character: string): string {
  if (character === "\r") return "\\r";
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\u{${hex}}`;
}
