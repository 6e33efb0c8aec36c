import { writeOutHidden } from "../../core/hidden-characters.ts";

/** The colors that `style` produces. Any other escape sequence is foreign text. */
const OWN_COLOR = /(\u001b\[(?:0|1|2|3|31|32|33|36|97;40)m)/;

/** The plain colors of text. In foreign text some of them could hide it, depending on the terminal's background. */
const ANY_COLOR = /(\u001b\[(?:0|3[0-7]|9[0-7])m)/;

/** A text that is safe to print on a terminal: keeps our colors, and makes other control characters visible. */
export function forTerminal(text: string): string {
  return keepColors(text, OWN_COLOR);
}

/** The same for a picture that a program of ours has colored. */
export function pictureForTerminal(text: string): string {
  return keepColors(text, ANY_COLOR);
}

function keepColors(text: string, color: RegExp): string {
  return text
    .split(color)
    .map((part, index) => (index % 2 === 1 ? part : writeOutHidden(part)))
    .join("");
}

/**
 * JSON that is safe to print on a terminal, and still the same JSON: hidden characters occur only inside its strings.
 */
export function jsonForTerminal(json: string): string {
  return json.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, (character) =>
    character === "\n"
      ? character
      : Array.from({ length: character.length }, (_, at) => unicodeEscape(character.charCodeAt(at))).join(""),
  );
}

function unicodeEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}
