import type { TerminalSize } from "../../ports/runtime.ts";

/** tmux's facts about a pane's terminal, besides the characters on it. */
export interface ScreenFacts {
  readonly size: TerminalSize;
  readonly cursor: { readonly column: number; readonly row: number; readonly isVisible: boolean };
  readonly isAlternate: boolean;
  /** Names, from `MODES`, of the modes that are on. */
  readonly modes: readonly string[];
  readonly scroll: { readonly top: number; readonly bottom: number };
}

/** tmux's names of modes, and the sequence that turns each on. */
const MODES: Readonly<Record<string, string>> = {
  keypad_cursor_flag: "\u001b[?1h",
  keypad_flag: "\u001b=",
  mouse_standard_flag: "\u001b[?1000h",
  mouse_button_flag: "\u001b[?1002h",
  mouse_all_flag: "\u001b[?1003h",
  mouse_sgr_flag: "\u001b[?1006h",
};
const NUMBERS = [
  "pane_width",
  "pane_height",
  "cursor_x",
  "cursor_y",
  "cursor_flag",
  "alternate_on",
  "scroll_region_upper",
  "scroll_region_lower",
];

/** The tmux format to request: numbers separated by spaces. */
export const SCREEN_FORMAT = [...NUMBERS, ...Object.keys(MODES)].map((name) => `#{${name}}`).join(" ");

/** Parses the answer to `SCREEN_FORMAT`; null if it is malformed. */
export function parseScreenFacts(line: string): ScreenFacts | null {
  const values = line.trim().split(" ").map(Number);
  const [columns, rows, column, row, visible, alternate, top, bottom] = values;
  if (columns === undefined || rows === undefined || !(columns > 0 && rows > 0)) return null;
  return {
    size: { columns, rows },
    cursor: { column: column ?? 0, row: row ?? 0, isVisible: visible !== 0 },
    isAlternate: alternate === 1,
    modes: Object.keys(MODES).filter((_, index) => values[NUMBERS.length + index] === 1),
    scroll: { top: top ?? 0, bottom: bottom ?? rows - 1 },
  };
}

/** The bytes that draw a screen on an empty terminal: its history, its rows, its modes, and the cursor. */
export function drawScreen(facts: ScreenFacts, captured: string, isPasteBracketed: boolean): string {
  const { size, cursor, isAlternate, modes, scroll } = facts;
  const lines = captured.replace(/\n$/, "").split("\n");
  const shown = isAlternate ? lines.slice(-size.rows) : lines;
  const region = scroll.top > 0 || scroll.bottom < size.rows - 1;
  return [
    isAlternate ? "\u001b[?1049h\u001b[H" : "",
    shown.join("\r\n"),
    "\u001b[0m",
    ...modes.map((name) => MODES[name] ?? ""),
    isPasteBracketed ? "\u001b[?2004h" : "",
    region ? `\u001b[${scroll.top + 1};${scroll.bottom + 1}r` : "",
    `\u001b[${cursor.row + 1};${cursor.column + 1}H`,
    cursor.isVisible ? "" : "\u001b[?25l",
  ].join("");
}
