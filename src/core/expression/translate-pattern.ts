/** White space as conditions have always meant it; RE2's `\s` is ASCII only. */
const SPACE = "\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}";
/** Everything else, for `\S` within a class. */
const NOT_SPACE =
  "\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}" +
  "\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}";
const ANYTHING = "\\x{0}-\\x{10ffff}";
const NOT_LINE_END = "[^\\n\\r\\x{2028}\\x{2029}]";

/** `(?i)` and the like: not JavaScript, so such a pattern is meant as RE2 reads it. */
const FLAGS = /\(\?[a-zA-Z-]+[:)]/;
/** Escapes, brackets and dots; all else means the same to both. */
const PART = /\\(?:u[\da-fA-F]{4}|c[a-zA-Z]|[\s\S])|\[\^?\]?|\]|\./g;
/** Letters that mean something to RE2 after a backslash; digits are octal numbers or references. */
const KNOWN = /[aAbBCdDfknpPQErsStvuUwWxzcZ\d]/;

/**
 * Writes a JavaScript pattern so that RE2 reads it as JavaScript does: conditions were matched by JavaScript before.
 * What RE2 lacks stays as it is, and RE2 refuses it.
 */
export function translatePattern(pattern: string): string {
  if (FLAGS.test(pattern)) return pattern;
  let isInClass = false;
  return pattern.replace(PART, (part) => {
    if (part.startsWith("\\")) return translateEscape(part.slice(1), isInClass);
    if (!isInClass) {
      isInClass = part === "[" || part === "[^";
      return OUTSIDE[part] ?? part;
    }
    isInClass = !part.endsWith("]");
    // Within a class, `[` is itself.
    return part.startsWith("[") ? `\\${part}` : part;
  });
}

const OUTSIDE: Readonly<Record<string, string>> = {
  ".": NOT_LINE_END,
  "[]": `[^${ANYTHING}]`,
  "[^]": `[${ANYTHING}]`,
  // Without a `[` before it, it is itself.
  "]": "\\]",
};

function translateEscape(escaped: string, isInClass: boolean): string {
  if (escaped.length === 5) return `\\x{${escaped.slice(1)}}`;
  if (escaped.length === 2) return `\\x{${(escaped.charCodeAt(1) % 32).toString(16)}}`;
  if (escaped === "s") return isInClass ? SPACE : `[${SPACE}]`;
  if (escaped === "S") return isInClass ? NOT_SPACE : `[^${SPACE}]`;
  if (escaped === "b" && isInClass) return "\\x{8}";
  const isLetter = /[a-zA-Z]/.test(escaped);
  // An escape that means nothing is the letter itself.
  return (isLetter && !KNOWN.test(escaped)) || /[^\x20-\x7e]/.test(escaped) ? escaped : `\\${escaped}`;
}
