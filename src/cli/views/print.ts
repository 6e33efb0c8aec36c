import { guardStdout } from "../write-out.ts";
import { forTerminal, jsonForTerminal, pictureForTerminal } from "./terminal-text.ts";

/** Text of any origin: as is for a pipe or a file, with hidden characters made visible for a terminal. */
export function write(stream: NodeJS.WriteStream, text: string): void {
  stream.write(stream.isTTY ? forTerminal(text) : text);
}

/** Prints lines for people or a pipe on stdout. */
export function print(text: string): void {
  guardStdout();
  write(process.stdout, text.endsWith("\n") ? text : `${text}\n`);
}

/** Prints a picture of ours that brings its own colors. */
export function printPicture(picture: string): void {
  guardStdout();
  process.stdout.write(`${process.stdout.isTTY ? pictureForTerminal(picture) : picture}\n`);
}

/** Prints one object for scripts, on one line. */
export function printJson(value: unknown): void {
  printJsonText(JSON.stringify(value));
}

/** Prints JSON that is already text. */
export function printJsonText(json: string): void {
  guardStdout();
  process.stdout.write(`${process.stdout.isTTY ? jsonForTerminal(json) : json}\n`);
}

/** A remark besides the output; on stderr, so that pipes stay clean. */
export function note(text: string): void {
  write(process.stderr, `${text}\n`);
}

/** Shows progress during long work, which may say how far it is; only on a terminal. */
export async function withProgress<T>(
  text: string,
  work: Promise<T> | ((say: (howFar: string) => void) => Promise<T>),
): Promise<T> {
  const { stderr } = process;
  const show = (howFar: string): void => {
    if (stderr.isTTY) write(stderr, howFar);
  };
  show(`${text} ...`);
  const clear = (): void => void (stderr.isTTY && stderr.write("\r\u001b[K"));
  const say = (howFar: string): void => {
    clear();
    show(`${text}: ${howFar} ...`);
  };
  try {
    return await (typeof work === "function" ? work(say) : work);
  } finally {
    clear();
  }
}
