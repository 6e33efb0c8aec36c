import { setTimeout as pause } from "node:timers/promises";
import { cut } from "./text-width.ts";
import { visibleLine } from "./visible.ts";

const POLL_MS = 500;

/** Shows what long work is waiting for; only on a terminal. */
export async function withLiveProgress<T>(work: Promise<T>, describe: () => Promise<string>): Promise<T> {
  if (!process.stderr.isTTY) return work;
  let isOver = false;
  const show = async (): Promise<void> => {
    while (!isOver) {
      // A failed request is no reason to stop waiting.
      const text = await describe().catch(() => "");
      if (!isOver && text !== "")
        process.stderr.write(`\r\u001b[K${cut(visibleLine(text), (process.stderr.columns || 80) - 1)}`);
      await pause(POLL_MS);
    }
  };
  const shown = show();
  try {
    return await work;
  } finally {
    isOver = true;
    await shown;
    process.stderr.write("\r\u001b[K");
  }
}
