const PLAIN = /^[\t\n -~]*$/;

/** Text with every hidden character escaped, such as `\x1b` or `\u202e`; keeps newlines and tabs. */
export function writeOutHidden(text: string): string {
  // Most text is plain, and the character sets below take a millisecond to build, which a short command notices.
  return PLAIN.test(text) ? text : writeOut(text);
}

function writeOut(text: string): string {
  // Everything that controls a terminal or that a reader cannot see: control, invisible and direction-changing
  // characters, line separators, tags.
  const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Variation_Selector}]/gu;
  // Inside an emoji, a joiner and a variation selector belong to the picture.
  const emojiPart = /(?<=\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\ufe0f)*)(?:\ufe0f|\u200d)/uy;
  return text.replace(hidden, (character, offset: number) => {
    if (character === "\n" || character === "\t") return character;
    emojiPart.lastIndex = offset;
    return emojiPart.test(text) ? character : escapeOf(character);
  });
}

function escapeOf(character: string): string {
  if (character === "\r") return "\\r";
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\u{${hex}}`;
}
