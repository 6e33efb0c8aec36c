/** What a person did at a prompt: wrote a line, pressed Ctrl+C, or ended the input with Ctrl+D. */
export type Typed = { readonly line: string } | "interrupted" | "ended";

export interface Prompt {
  /** Shows `mark` and waits for a line. */
  next(mark: string): Promise<Typed>;
  close(): void;
}

/** Can a person be asked here? */
export function canPrompt(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}

/** Opens the terminal for questions to the person at it. */
export async function openPrompt(): Promise<Prompt> {
  const { createInterface } = await import("node:readline");
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  let settle: (typed: Typed) => void = () => undefined;
  let left: Typed | null = null;
  const leave = (how: Typed): void => {
    // Ctrl+C closes the reader too: what came first counts.
    left ??= how;
    settle(left);
  };
  reader.on("line", (line) => settle({ line }));
  reader.on("SIGINT", () => {
    leave("interrupted");
    reader.close();
  });
  reader.on("close", () => leave("ended"));
  return {
    next: (mark) =>
      new Promise((resolve) => {
        settle = resolve;
        if (left !== null) return resolve(left);
        reader.setPrompt(mark);
        reader.prompt();
      }),
    close: () => reader.close(),
  };
}
