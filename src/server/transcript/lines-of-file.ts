import type { HostFs } from "../../ports/host.ts";

export interface FileLine {
  readonly offset: number;
  /** Without its newline. */
  readonly length: number;
  readonly text: string;
}

const CHUNK_BYTES = 256 * 1024;
/** A longer line is not shown: nobody reads it, and it would fill every page. */
const MAX_LINE_BYTES = 2 * 1024 * 1024;
const NEWLINE = 10;

/**
 * The lines of a growing file from an offset on, with the next offset; an incomplete last line only when the file is
 * final.
 */
export async function readLinesFrom(
  fs: Pick<HostFs, "readBytes">,
  file: { readonly path: string; readonly from: number; readonly isWhole: boolean },
): Promise<{ readonly lines: readonly FileLine[]; readonly next: number }> {
  const lines: FileLine[] = [];
  let next = file.from;
  for (let want = CHUNK_BYTES; ; ) {
    const bytes = await fs.readBytes(file.path, next, want);
    if (bytes === null || bytes.length === 0) return { lines, next };
    const isEnd = bytes.length < want;
    const taken = freedBytes(bytes) || split(bytes, next, lines);
    next += taken;
    if (taken > 0) want = CHUNK_BYTES;
    else if (isEnd)
      return file.isWhole ? { lines: [...lines, toLine(bytes, next)], next: next + bytes.length } : { lines, next };
    else if (want >= MAX_LINE_BYTES) next += bytes.length;
    else want *= 2;
  }
}

// The start of a long output was freed on disk and reads as zeros.
function freedBytes(bytes: Uint8Array): number {
  if (bytes[0] !== 0) return 0;
  const end = bytes.findIndex((byte) => byte !== 0);
  return end < 0 ? bytes.length : end;
}

/** Adds the complete lines among some bytes; returns their length in bytes. */
function split(bytes: Uint8Array, offset: number, lines: FileLine[]): number {
  let start = 0;
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
    lines.push(toLine(bytes.subarray(start, end), offset + start));
    start = end + 1;
  }
  return start;
}

function toLine(bytes: Uint8Array, offset: number): FileLine {
  return { offset, length: bytes.length, text: new TextDecoder().decode(bytes) };
}
