import { cut, widthOf } from "../views/text-width.ts";
import { visibleLine } from "../views/visible.ts";
import type { Key } from "./key.ts";

/** A line that a person types; newlines come from pasting or Alt+Enter. */
export interface Field {
  readonly before: string;
  readonly after: string;
}

export const EMPTY_FIELD: Field = { before: "", after: "" };

/** The whole text. */
export function textOf({ before, after }: Field): string {
  return before + after;
}

/** The field after a key; the same object if the key has no effect. */
export function edit(field: Field, key: Key): Field {
  const { before, after } = field;
  switch (key.name) {
    case "backspace":
      return { before: withoutLast(before), after };
    case "delete":
      return { before, after: withoutFirst(after) };
    case "left":
      return { before: withoutLast(before), after: before.slice(withoutLast(before).length) + after };
    case "right":
      return { before: before + after.slice(0, after.length - withoutFirst(after).length), after: withoutFirst(after) };
    case "home":
    case "ctrl+a":
      return { before: "", after: before + after };
    case "end":
    case "ctrl+e":
      return { before: before + after, after: "" };
    case "ctrl+u":
      return { before: "", after };
    case "ctrl+w":
      return { before: before.replace(/\S+\s*$/u, ""), after };
    case "alt+enter":
    case "newline":
      return { before: `${before}\n`, after };
    default:
      return key.text === null ? field : { before: before + key.text, after };
  }
}

/** The field in this many columns, with a block at the cursor. */
export function showField(field: Field, columns: number): string {
  const text = showPart(field.before);
  const after = showPart(field.after);
  const room = Math.max(4, columns - 1);
  const shown = widthOf(text) < room ? text : `…${lastColumns(text, room - 2)}`;
  return `${shown}▏${cut(after, Math.max(0, room - widthOf(shown)))}`;
}

function showPart(text: string): string {
  // visibleLine trims, which would hide a space that was just typed.
  const [, lead = "", , trail = ""] = /^( *)(.*?)( *)$/s.exec(text) ?? [];
  return text.trim() === "" ? text.replaceAll("\n", "⏎") : lead + visibleLine(text) + trail;
}

function lastColumns(text: string, columns: number): string {
  const characters = [...text];
  while (characters.length > 0 && widthOf(characters.join("")) > columns) characters.shift();
  return characters.join("");
}

function withoutLast(text: string): string {
  return [...text].slice(0, -1).join("");
}

function withoutFirst(text: string): string {
  return [...text].slice(1).join("");
}
