import { join } from "node:path";
import type { HostFs } from "../ports/host.ts";

const MIB = 1024 * 1024;
/** How much of each output file of a run is kept, and how much while the disk is full. */
const KEEP_BYTES = 32 * MIB;
const KEEP_BYTES_WHEN_FULL = MIB;
/** An agent that prints faster than it is read loses the oldest part of this much unread output. */
const UNREAD_BYTES = 256 * MIB;
const UNREAD_BYTES_WHEN_FULL = 8 * MIB;
/** Space is freed in steps, not for every line. */
const STEP_BYTES = 8 * MIB;
/** A cut line would be garbage; how far to search for its end. */
const LINE_BYTES = 64 * 1024;
const NEWLINE = 10;

/** The files of a run that grow with what its program prints; `screen` is the terminal of one that has its own `out`. */
export const OUTPUT_FILES: readonly string[] = ["out", "err", "screen"];

/** A run's folder, and how much of its output the daemon has read and recorded. */
export interface ReadOutput {
  readonly runDir: string;
  readonly readTo: number;
}

/** Keeps the output of runs from filling the disk: frees the oldest part of a long one. */
export function createOutputBound(
  fs: Pick<HostFs, "stat" | "readBytes" | "freeStart">,
  isDiskFull: () => boolean,
): (output: ReadOutput) => Promise<void> {
  const freed = new Map<string, number>();

  const bound = async (path: string, readTo: number): Promise<void> => {
    const size = (await fs.stat(path))?.size ?? 0;
    const isFull = isDiskFull();
    const keep = isFull ? KEEP_BYTES_WHEN_FULL : KEEP_BYTES;
    const isFlood = size - readTo > (isFull ? UNREAD_BYTES_WHEN_FULL : UNREAD_BYTES);
    const limit = isFlood ? size : Math.min(size, readTo);
    const target = Math.min(size - keep, limit);
    if (target - (freed.get(path) ?? 0) < Math.min(keep, STEP_BYTES)) return;
    const end = await lineEnd(path, target, limit);
    if (await fs.freeStart(path, end)) freed.set(path, end);
  };

  const lineEnd = async (path: string, from: number, limit: number): Promise<number> => {
    const bytes = await fs.readBytes(path, from, Math.min(LINE_BYTES, limit - from));
    const at = bytes?.indexOf(NEWLINE) ?? -1;
    return at < 0 ? from : from + at + 1;
  };

  return async ({ runDir, readTo }) => {
    // Only people read errors and terminals, so nothing of them needs to be kept for the daemon.
    for (const name of OUTPUT_FILES) {
      await bound(join(runDir, name), name === "out" ? readTo : Number.POSITIVE_INFINITY);
    }
  };
}
