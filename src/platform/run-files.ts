import { closeSync, constants, fdatasync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { open } from "node:fs/promises";
import { promisify } from "node:util";

/** How much is read of a file at once, on the daemon's own thread. */
const FEW_BYTES = 8 * 1024;
// Whoever owns the folder may have put a FIFO in the file's place, and opening one would wait for the other side.
const { O_APPEND, O_CREAT, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

const flush = promisify(fdatasync);

// Almost every call here is about a few bytes that the kernel has in memory, such as a message for an agent and its receipt. Each step through
// the thread pool costs more than such a read, and all of them together were most of a message's way. What may wait for the disk does not run
// on the daemon's own thread.

/** Bytes from an offset, at most `max`; null: missing. */
export async function readBytes(path: string, from: number, max: number): Promise<Uint8Array | null> {
  const few = Buffer.allocUnsafe(Math.max(0, Math.min(max, FEW_BYTES)));
  const read = withFile(path, O_RDONLY | O_NONBLOCK, (file) => readSync(file, few, 0, few.length, from));
  if (read === null) return null;
  // Reading past the end costs less than asking for the size first.
  if (read < few.length || read === max) return few.subarray(0, read);
  return readMore(path, few, { from, max });
}

/** The last bytes of a file, at most `max`; null: missing. */
export async function readEnd(path: string, max: number): Promise<Uint8Array | null> {
  const size = withFile(path, O_RDONLY | O_NONBLOCK, (file) => fstatSync(file).size);
  return size === null ? null : readBytes(path, Math.max(0, size - max), max);
}

/** Fills a buffer that the caller uses again with bytes from an offset; returns how many, null: missing. */
export async function readInto(path: string, from: number, into: Uint8Array): Promise<number | null> {
  // A page of output is too much for the daemon's own thread.
  const file = await open(path, O_RDONLY | O_NONBLOCK).catch((error: unknown) => {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error))) return null;
    throw error;
  });
  if (file === null) return null;
  try {
    return (await file.read(into, 0, into.length, from)).bytesRead;
  } finally {
    await file.close();
  }
}

/** Appends in one write and flushes to disk. */
export async function append(path: string, bytes: Uint8Array): Promise<void> {
  const file = openSync(path, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK, 0o600);
  try {
    writeAll(file, bytes);
    await flush(file);
  } finally {
    closeSync(file);
  }
}

/** Wakes whoever waits on this FIFO, now or later; does nothing if it is missing or not open. */
export async function ring(path: string): Promise<void> {
  try {
    // Opening a FIFO without a reader fails with ENXIO, and a full one (EAGAIN) has already been rung.
    withFile(path, O_WRONLY | O_NONBLOCK, (file) => writeSync(file, "\n"));
  } catch (error) {
    if (!["ENXIO", "EAGAIN", "EPIPE"].includes(codeOf(error))) throw error;
  }
}

async function readMore(
  path: string,
  few: Buffer,
  { from, max }: { readonly from: number; readonly max: number },
): Promise<Uint8Array | null> {
  const file = await open(path, O_RDONLY | O_NONBLOCK);
  try {
    const size = Math.max(few.length, Math.min(max, (await file.stat()).size - from));
    const all = Buffer.allocUnsafe(size);
    few.copy(all);
    const rest = await file.read(all, few.length, size - few.length, from + few.length);
    return all.subarray(0, few.length + rest.bytesRead);
  } finally {
    await file.close();
  }
}

/** null: the file is missing. */
function withFile<T>(path: string, flags: number, use: (file: number) => T): T | null {
  const file = openOrNull(path, flags);
  if (file === null) return null;
  try {
    return use(file);
  } finally {
    closeSync(file);
  }
}

function openOrNull(path: string, flags: number): number | null {
  try {
    return openSync(path, flags);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error))) return null;
    throw error;
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "";
}
