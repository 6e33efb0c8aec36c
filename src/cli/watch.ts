import { setTimeout as delay } from "node:timers/promises";
import { cut } from "./table.ts";

/** Aborted by Ctrl+C or a polite end, so that a command that stays can say goodbye. */
export function untilInterrupted(): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(name, () => controller.abort());
  return controller.signal;
}

/** Waits, or less when the signal comes. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}

/** Shows lines that replace the former ones: in place on a terminal, else again only when they changed. */
export function createLiveBlock(stream: NodeJS.WriteStream): (lines: readonly string[]) => void {
  let height = 0;
  let last = "";
  return (lines) => {
    const text = lines.join("\n");
    if (!stream.isTTY) {
      if (text !== last) stream.write(`${last === "" ? "" : "\n"}${text}\n`);
      last = text;
      return;
    }
    const shown = lines.slice(0, Math.max(1, (stream.rows ?? 24) - 1));
    const up = height === 0 ? "" : `\u001b[${height}A`;
    stream.write(`\r${up}\u001b[J${shown.join("\n")}\n`);
    height = shown.length;
  };
}

/** A line that never wraps, which would upset the count of lines. */
export function fitLine(text: string, stream: NodeJS.WriteStream): string {
  return stream.isTTY ? cut(text, stream.columns ?? 80) : text;
}
