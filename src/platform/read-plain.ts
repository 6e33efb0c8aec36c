import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { HostFs } from "../ports/host.ts";

/** Missing, a link, a socket, or not readable. */
const NOT_PLAIN = ["ENOENT", "ENOTDIR", "ELOOP", "ENXIO", "EACCES"];

/** Reads a file that somebody else may replace at any moment, even by a link or a FIFO. */
export const readPlain: HostFs["readPlain"] = async (path, max) => {
  // What was checked before it is opened could be something else by then.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    if (!NOT_PLAIN.includes(error.code ?? "")) throw error;
    return null;
  });
  if (file === null) return null;
  try {
    const found = await file.stat();
    if (!found.isFile() || found.size > max) return null;
    // It may grow while it is read.
    const all = Buffer.allocUnsafe(max + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length <= max; length += read) {
      ({ bytesRead: read } = await file.read(all, length, all.length - length, length));
    }
    return length > max ? null : { bytes: all.subarray(0, length), mtimeMs: found.mtimeMs };
  } finally {
    await file.close();
  }
};
