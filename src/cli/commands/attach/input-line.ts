import { clearScreenDown, createInterface, cursorTo, type Interface, moveCursor } from "node:readline";
import { write } from "../../views/print.ts";
import { widthOf } from "../../views/text-width.ts";

/** An input line at the bottom of the terminal, below whatever is printed meanwhile. */
export interface InputLine {
  /** Prints above the line; half-typed text stays. */
  print(lines: readonly string[]): void;
  /** Sets the prompt of the line. */
  setMark(mark: string): void;
  close(): void;
}

export interface InputOptions {
  readonly mark: string;
  /** A person pressed Enter; text pasted together arrives together. */
  onText(text: string): void;
  /** Ctrl+C or Ctrl+D. */
  onLeave(): void;
}

/** Nobody presses Enter twice within this time, and the lines of a paste arrive within it. */
const PASTE_MS = 40;

/** Opens the line on this process's terminal. */
export function openInputLine(options: InputOptions): InputLine {
  const { stdin: input, stdout: output } = process;
  const reader = createInterface({ input, output, prompt: options.mark });
  const pasted: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isOpen = true;

  reader.on("line", (line) => {
    // The conversation shows the sent text, so the typed line is removed.
    const rows = Math.floor(widthOf(reader.getPrompt() + line) / (output.columns || 80)) + 1;
    moveCursor(output, 0, -rows);
    cursorTo(output, 0);
    clearScreenDown(output);
    pasted.push(line);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const text = pasted.splice(0).join("\n").trim();
      if (text !== "") options.onText(text);
    }, PASTE_MS);
    reader.prompt();
  });
  reader.on("SIGINT", () => reader.close());
  reader.on("close", () => {
    isOpen = false;
    options.onLeave();
  });
  reader.prompt();

  return {
    print: (lines) => {
      if (lines.length === 0) return;
      if (isOpen) hide(reader);
      write(output, `${lines.join("\n")}\n`);
      if (isOpen) reader.prompt(true);
    },
    setMark: (mark) => {
      if (!isOpen || reader.getPrompt() === mark) return;
      hide(reader);
      reader.setPrompt(mark);
      reader.prompt(true);
    },
    close: () => {
      if (!isOpen) return;
      isOpen = false;
      hide(reader);
      reader.removeAllListeners("close");
      reader.close();
    },
  };
}

// The reader redraws from where it assumes its first row, which is where the cursor is after this.
function hide(reader: Interface): void {
  const { rows } = reader.getCursorPos();
  moveCursor(process.stdout, 0, -rows);
  cursorTo(process.stdout, 0);
  clearScreenDown(process.stdout);
  (reader as Interface & { prevRows?: number }).prevRows = 0;
}
