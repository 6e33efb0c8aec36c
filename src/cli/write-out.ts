import { writeSync } from "node:fs";

let isGuarded = false;

/** A reader that goes away (`ao logs s | head`) is not a failure. */
export function guardStdout(): void {
  if (isGuarded) return;
  isGuarded = true;
  process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
}

/**
 * Writes to stdout without its stream, whose loading would slow down a short command. Foreign text only to a pipe or a
 * file: nothing is escaped here.
 */
export function writeOut(text: string): void {
  const bytes = Buffer.from(text);
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(1, bytes, written);
  } catch {
    // The pipe is full or closed: the stream knows how to wait, and how to end.
    guardStdout();
    process.stdout.write(bytes.subarray(written));
  }
}
