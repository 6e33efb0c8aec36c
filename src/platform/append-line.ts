import { closeSync, fstatSync, fsyncSync, openSync, readSync, renameSync, statSync, writeFileSync } from "node:fs";

const NEWLINE = 0x0a;

export interface AppendOptions {
  /** A file larger than this is renamed to `.1` first, which replaces an older one. */
  readonly maxBytes?: number;
  /** The line is on disk when the call returns. */
  readonly flush?: boolean;
}

/**
 * Appends a line to a file of lines. A power cut or a full disk can leave the last line torn; it is ended first, so that it is damaged alone and
 * does not swallow this one. Returns whether the file was renamed.
 */
export function appendLine(path: string, line: string, { maxBytes, flush }: AppendOptions = {}): boolean {
  const isRenamed = maxBytes !== undefined && (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > maxBytes;
  if (isRenamed) renameSync(path, `${path}.1`);
  const file = openSync(path, "a+", 0o600);
  try {
    writeFileSync(file, `${isTorn(file) ? "\n" : ""}${line}\n`);
    if (flush) fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return isRenamed;
}

function isTorn(file: number): boolean {
  const { size } = fstatSync(file);
  const last = Buffer.alloc(1, NEWLINE);
  if (size > 0) readSync(file, last, 0, 1, size - 1);
  return last[0] !== NEWLINE;
}
