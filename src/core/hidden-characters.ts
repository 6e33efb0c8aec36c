const PLAIN = /^[\t\n -~]*$/;

/** Text for people with every hidden character escaped, such as `\x1b` or `\u{e0072}`; keeps newlines and tabs. */
export function writeOutHidden(text: string): string {
  return replaceHidden(text, escapeOf);
}

/** Text for agents without hidden characters, which a model reads and people do not see; keeps newlines and tabs. */
export function removeHidden(text: string): string {
  return replaceHidden(text, (character) => (/[\u2028\u2029]/.test(character) ? "\n" : ""));
}

function replaceHidden(text: string, replace: (character: string) => string): string {
  // Most text is plain, and the character sets below take a millisecond to build, which a short command notices.
  if (PLAIN.test(text)) return text;
  // Everything that controls a terminal or that a reader cannot see: controls, invisible and direction-changing
  // characters, halves of characters, line separators, tags, fillers, variation selectors.
  const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
  return text.replace(hidden, (character, offset: number) =>
    character === "\n" || character === "\t" || isNeeded(text, character, offset) ? character : replace(character),
  );
}

// Marks of Arabic and Kaithi numbers, which are format characters, but visible.
const VISIBLE = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u;

/** Does the text around it need this character? Only a single one counts: in rows they could spell a hidden text. */
function isNeeded(text: string, character: string, offset: number): boolean {
  if (!/\u200c|\u200d|\ufe0e|\ufe0f/.test(character)) return VISIBLE.test(character);
  needed ??= new RegExp([...EMOJI, ...JOINING.map(joinerIn)].join("|"), "uy");
  needed.lastIndex = offset;
  return needed.test(text);
}

let needed: RegExp | undefined;

const PICTURE = String.raw`(?<=\p{Extended_Pictographic}\p{Emoji_Modifier}?`;
const EMOJI = [
  String.raw`${PICTURE})[\ufe0e\ufe0f](?![\ufe00-\ufe0f])`,
  String.raw`(?<=[0-9#*])\ufe0f(?=\u20e3)`,
  String.raw`${PICTURE}\ufe0f?)\u200d(?=\p{Extended_Pictographic})`,
];

/** Scripts in which a joiner decides how the letters around it look. */
const JOINING = ["Arab", "Syrc", "Deva", "Beng", "Guru", "Gujr", "Orya", "Taml", "Telu", "Knda", "Mlym", "Sinh"];

function joinerIn(script: string): string {
  const ofScript = String.raw`\p{Script_Extensions=${script}}`;
  return String.raw`(?<=${ofScript})[\u200c\u200d](?=${ofScript})(?=\p{L})`;
}

function escapeOf(character: string): string {
  if (character === "\r") return "\\r";
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\u{${hex}}`;
}
