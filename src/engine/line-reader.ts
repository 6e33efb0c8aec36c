import type { HostFs } from "../ports/host.ts";

/** So little at a time that decoding all of it delays nothing. */
const CHUNK_BYTES = 64 * 1024;
/** A longer line is output, not protocol; it is skipped. */
const MAX_LINE_BYTES = 2 * 1024 * 1024;
const NEWLINE = 10;
const BRACE = 123;

export interface LineBatch {
  /** Those that may belong to the protocol. Text without a brace, most of what is printed, is not even decoded. */
  readonly lines: readonly string[];
  /** There were lines, of whatever kind. */
  readonly hasLines: boolean;
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
    if (bytes === null || bytes.length === 0) return { lines: [], hasLines: false, position, atEnd: true };
    // The start of a long output was freed on disk and reads as zeros.
    if (bytes[0] === 0) {
      const start = bytes.findIndex((byte) => byte !== 0);
      return { lines: [], hasLines: false, position: position + (start < 0 ? bytes.length : start), atEnd: false };
    }
    const end = bytes.lastIndexOf(NEWLINE);
    if (end >= 0) {
      const lines = protocolLines(bytes.subarray(0, end));
      return { lines, hasLines: true, position: position + end + 1, atEnd: bytes.length < want };
    }
    if (bytes.length < want) return { lines: [], hasLines: false, position, atEnd: true };
    if (want >= MAX_LINE_BYTES) return { lines: [], hasLines: false, position: position + bytes.length, atEnd: false };
    want *= 2;
  }
}

function protocolLines(bytes: Uint8Array): readonly string[] {
  if (!bytes.includes(BRACE)) return [];
  const lines = new TextDecoder().decode(bytes).split("\n");
  return lines.filter((line) => line.includes("{"));
}
