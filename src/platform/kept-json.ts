import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { AoError } from "../core/errors.ts";

/** A value that survives the process, in its own file. */
export interface KeptJson<T> {
  value(): T;
  /** The new value is on disk when this returns; after a crash the file holds either the old value or the new one. */
  save(next: T): void;
}

export interface KeptJsonOptions<T> {
  readonly path: string;
  /** The value of a missing file. */
  readonly empty: T;
  /** Throws if the file holds anything else. */
  parse(value: unknown): T;
  /** What to do about an unreadable file. */
  readonly hint: string;
}

/** Opens the file. Throws if it exists and cannot be read: continuing without it could repeat everything. */
export function openKeptJson<T>(options: KeptJsonOptions<T>): KeptJson<T> {
  let kept = read(options);
  return {
    value: () => kept,
    save: (next) => {
      write(options.path, JSON.stringify(next));
      kept = next;
    },
  };
}

function read<T>({ path, empty, parse, hint }: KeptJsonOptions<T>): T {
  try {
    return parse(JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return empty;
    const reason = (error as Error).message.split("\n")[0];
    throw new AoError({
      code: "internal",
      message: `The file ${path} cannot be read: ${reason}`,
      hint,
      cause: error,
    });
  }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const temp = `${path}.tmp`;
  const file = openSync(temp, "w", 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temp, path);
}
