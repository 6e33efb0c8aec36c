import { setTimeout as delay } from "node:timers/promises";
import { forTerminal } from "./terminal-text.ts";
import { widthOf } from "./text-width.ts";

/** The exit code after Ctrl+C. */
export const INTERRUPTED = 130;

/** Aborts on Ctrl+C or SIGTERM, so that a long-running command can clean up. */
export function untilInterrupted(): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(name, () => controller.abort());
  return controller.signal;
}

/** Waits, or less if the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}

/**
 * Shows lines that replace the previous ones: in place on a terminal, otherwise printed again; only when they change.
 */
export function createLiveBlock(stream: NodeJS.WriteStream): (lines: readonly string[]) => void {
  let height = 0;
  let last = "";
  return (lines) => {
    const text = lines.join("\n");
    if (text === last) return;
    if (!stream.isTTY) {
      stream.write(`${last === "" ? "" : "\n"}${text}\n`);
      last = text;
      return;
    }
    last = text;
    // A terminal of unknown size reports 0.
    const shown = lines.slice(0, Math.max(1, (stream.rows || 24) - 1)).map(forTerminal);
    const up = height === 0 ? "" : `\u001b[${height}A`;
    // Each line is cleared after it is written: nothing is blank in between, so nothing flickers.
    stream.write(`\r${up}${shown.map((line) => `${line}\u001b[K\n`).join("")}\u001b[J`);
    height = shown.reduce((sum, line) => sum + rowsOf(line, stream.columns || 80), 0);
  };
}

/** Rows that a line takes on the terminal: a long one wraps, and colors take no space. */
function rowsOf(line: string, columns: number): number {
  const text = line.replace(/\u001b\[[0-9;]*m/g, "");
  return Math.max(1, Math.ceil(widthOf(text) / columns));
}
