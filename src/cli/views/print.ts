let isGuarded = false;

/** A reader that went away (`ao logs s | head`) is no failure. */
export function guardStdout(): void {
  if (isGuarded) return;
  isGuarded = true;
  process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
}

/** One or more lines for people or for a pipe, on stdout. */
export function print(text: string): void {
  guardStdout();
  process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
}

/** One object for scripts, on one line. */
export function printJson(value: unknown): void {
  guardStdout();
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** A remark beside the answer; on stderr, so that pipes stay clean. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Shows that long work goes on while it does; only on a terminal. */
export async function withProgress<T>(text: string, work: Promise<T>): Promise<T> {
  if (!process.stderr.isTTY) return work;
  process.stderr.write(`${text} ...`);
  try {
    return await work;
  } finally {
    process.stderr.write("\r\u001b[K");
  }
}
