import { HELP } from "./help.ts";
import type { Key } from "./key.ts";
import { wrapPainted } from "./paint.ts";
import type { BoardState, Reading, Step } from "./state.ts";

/** Rows around a text that fills the screen: its title, a rule, and the line of keys. */
const FRAME_ROWS = 3;

/** How many lines of a text fit on the screen. */
export function pageRows({ rows }: { readonly rows: number }): number {
  return Math.max(1, rows - FRAME_ROWS);
}

/** The first visible line, clamped to the text. */
export function clampTop(top: number, count: number, page: number): number {
  return Math.max(0, Math.min(top, count - page));
}

/** Opens a text over the list; unless it is the help, it arrives later. */
export function openReading(state: BoardState, open: Pick<Reading, "what" | "sessionId" | "title">): Step {
  const { what, sessionId } = open;
  const text = what === "help" ? HELP : null;
  const reading: Reading = { ...open, text, lines: text ?? [], top: 0, follow: what === "transcript" };
  const isRead = sessionId !== null && what !== "help";
  return {
    state: { ...state, mode: { kind: "read", reading } },
    effects: isRead ? [{ type: "read", what, sessionId }] : [],
  };
}

/** The text on the screen, in lines that fit. */
export function fitReading(reading: Reading, columns: number): Reading {
  return { ...reading, lines: reading.text === null ? [] : wrapPainted(reading.text, columns - 2) };
}

/** Handles a key while a text fills the screen. */
export function readKey(state: BoardState, reading: Reading, key: Key): Step {
  if (key.name === "q" || key.name === "escape" || key.name === "?") {
    return { state: { ...state, mode: { kind: "list" } }, effects: [] };
  }
  if (key.name === "t" && reading.sessionId !== null) {
    return { state, effects: [{ type: "attach", sessionId: reading.sessionId }] };
  }
  const page = pageRows(state.size);
  const count = reading.lines.length;
  const from = reading.follow ? clampTop(Number.POSITIVE_INFINITY, count, page) : reading.top;
  const by = scrollBy(key, page);
  if (by === null) return { state, effects: [] };
  const top = clampTop(from + by, count, page);
  const follow = reading.what === "transcript" && top + page >= count;
  return { state: { ...state, mode: { kind: "read", reading: { ...reading, top, follow } } }, effects: [] };
}

/** How far a key scrolls; null: it does not. */
export function scrollBy(key: Key, page: number): number | null {
  switch (key.name) {
    case "j":
    case "down":
    case "enter":
      return 1;
    case "k":
    case "up":
      return -1;
    case "space":
    case "f":
    case "pagedown":
      return page;
    case "b":
    case "pageup":
      return -page;
    case "ctrl+d":
      return Math.ceil(page / 2);
    case "ctrl+u":
      return -Math.ceil(page / 2);
    case "g":
    case "home":
      return Number.NEGATIVE_INFINITY;
    case "G":
    case "end":
      return Number.POSITIVE_INFINITY;
    default:
      return null;
  }
}
