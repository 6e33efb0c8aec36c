import { emitKeypressEvents, type Interface } from "node:readline";
import { type Key, type Press, pastedKey, toKey } from "./key.ts";
import type { Size } from "./state.ts";

const ESC = "\u001b";
/** Alternate screen, no cursor, no wrapping, bracketed paste, and the title saved. */
const ENTER = `${ESC}[?1049h${ESC}[?25l${ESC}[?7l${ESC}[?2004h${ESC}[22;0t${ESC}[2J`;
const LEAVE = `${ESC}[23;0t${ESC}[?2004l${ESC}[?7h${ESC}[?25h${ESC}[?1049l`;

/** How long Esc waits for the rest of a longer key; Node's own half second is noticeable. */
const ESCAPE_MS = 30;

/** The terminal while the board has it. */
export interface Screen {
  size(): Size;
  /** Shows lines; writes only those that changed. */
  draw(lines: readonly string[]): void;
  /** The next `draw` writes everything. */
  forget(): void;
  /** Rings, and shows in the window's title how many sessions need a person. */
  bell(): void;
  title(text: string): void;
  /** Takes the terminal, or restores it; both can be called again. */
  enter(): void;
  leave(): void;
}

/** The screen of a terminal; the listeners get keys and new sizes while it is entered. */
export function createScreen(
  input: NodeJS.ReadStream,
  output: NodeJS.WriteStream,
  on: { readonly key: (key: Key) => void; readonly resize: (size: Size) => void },
): Screen {
  let shown: readonly string[] = [];
  let isEntered = false;
  const readKey = createKeyReader(on.key);
  const size = (): Size => ({ columns: output.columns || 80, rows: output.rows || 24 });
  const resized = (): void => on.resize(size());
  emitKeypressEvents(input, { escapeCodeTimeout: ESCAPE_MS } as unknown as Interface);
  return {
    size,
    draw(lines) {
      if (!isEntered) return;
      const changed = lines.flatMap((line, row) =>
        line === shown[row] ? [] : [`${ESC}[${row + 1};1H${line}${ESC}[0m${ESC}[K`],
      );
      // Terminals that support it show the frame at once; others ignore it.
      if (changed.length > 0) output.write(`${ESC}[?2026h${changed.join("")}${ESC}[?2026l`);
      shown = lines;
    },
    forget() {
      shown = [];
      if (isEntered) output.write(`${ESC}[2J`);
    },
    bell: () => void output.write("\u0007"),
    title: (text) => void output.write(`${ESC}]0;${text}\u0007`),
    enter() {
      if (isEntered) return;
      isEntered = true;
      shown = [];
      output.write(ENTER);
      input.setRawMode(true);
      input.resume();
      input.on("keypress", readKey);
      output.on("resize", resized);
    },
    leave() {
      if (!isEntered) return;
      isEntered = false;
      input.off("keypress", readKey);
      output.off("resize", resized);
      input.setRawMode(false);
      input.pause();
      output.write(LEAVE);
    },
  };
}

// Pasted text arrives as key presses too; together they are one text, and an Enter in it sends nothing.
function createKeyReader(onKey: (key: Key) => void): (text: string | undefined, press: Press) => void {
  let pasted: string | null = null;
  return (text, press) => {
    if (press.name === "paste-start") pasted = "";
    else if (press.name === "paste-end") {
      if (pasted !== null) onKey(pastedKey(pasted));
      pasted = null;
    } else if (pasted !== null) pasted += press.sequence ?? text ?? "";
    else onKey(toKey(text, press));
  };
}
