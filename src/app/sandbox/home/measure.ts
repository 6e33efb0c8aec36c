import { join } from "node:path";
import type { FileKind, FileStat, HostFs } from "../../../ports/host.ts";

/** More than this in one entry is not copied: a session sees the user's own, read-only. */
const MAX_FILES = 1000;
const MAX_BYTES = 8 * 1024 * 1024;

/** An entry of a program's folder, before it is copied. */
export interface Measured {
  readonly kind: Exclude<FileKind, "other">;
  /** Null: too much to copy, or not only files, folders and links. */
  readonly bytes: number | null;
}

/** Looks at a file or tree without reading it, and stops once it is too large; null: it is neither. */
export async function measure(fs: HostFs, path: string): Promise<Measured | null> {
  const stat = await fs.stat(path);
  if (stat === null || stat.kind === "other") return null;
  let [files, bytes] = [0, 0];
  for await (const { kind, size } of walk(fs, path, stat)) {
    files += 1;
    bytes += kind === "file" ? size : 0;
    if (kind === "other" || files > MAX_FILES || bytes > MAX_BYTES) return { kind: stat.kind, bytes: null };
  }
  return { kind: stat.kind, bytes };
}

async function* walk(fs: HostFs, path: string, stat: FileStat): AsyncGenerator<FileStat> {
  yield stat;
  if (stat.kind !== "directory") return;
  for (const name of await fs.list(path)) {
    const inner = await fs.stat(join(path, name));
    if (inner !== null) yield* walk(fs, join(path, name), inner);
  }
}
