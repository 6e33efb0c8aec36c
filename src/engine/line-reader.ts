import type { HostFs } from "../ports/host.ts";

const CHUNK_BYTES = 256 * 1024;
/** A longer line is output, not protocol; it is skipped. */
const MAX_LINE_BYTES = 2 * 1024 * 1024;
const NEWLINE = 10;

export interface LineBatch {
  readonly lines: readonly string[];
  /** Byte offset after the last full line. */
  readonly position: number;
  /** Nothing more to read for now. */
  readonly atEnd: boolean;
}

/** Reads full lines of a growing file from a byte offset; an incomplete last line waits for its end. */
export async function readLines(fs: HostFs, path: string, position: number): Promise<LineBatch> {
  let want = CHUNK_BYTES;
  for (;;) {
    const bytes = await fs.readBytes(path, position, want);
    if (bytes === null || bytes.length === 0) return { lines: [], position, atEnd: true };
    // The start of a long output was freed on disk and reads as zeros.
    if (bytes[0] === 0) {
      const start = bytes.findIndex((byte) => byte !== 0);
      return { lines: [], position: position + (start < 0 ? bytes.length : start), atEnd: false };
    }
    const end = bytes.lastIndexOf(NEWLINE);
    if (end >= 0) {
      const text = new TextDecoder().decode(bytes.subarray(0, end));
      return { lines: text.split("\n"), position: position + end + 1, atEnd: bytes.length < want };
    }
    if (bytes.length < want) return { lines: [], position, atEnd: true };
    if (want >= MAX_LINE_BYTES) return { lines: [], position: position + bytes.length, atEnd: false };
    want *= 2;
  }
}
