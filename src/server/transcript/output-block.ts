import type { OutputFile, RunOutput } from "../../ports/run-output.ts";
import type { Pace } from "../read-log.ts";
import type { LineTaker, RawLine } from "./take-line.ts";

/**
 * Output is read in blocks of this size, from the newest back. What is known about a block's lines follows from their
 * bytes and those of the block before, so it is the same whoever reads it, from which side, and in which daemon.
 */
export const BLOCK_BYTES = 64 * 1024;
/** A longer line is shown only as far as it is worth it, and nobody searches for its end. */
export const LINE_BYTES = 1024 * 1024;
const SHOWN_BYTES = 64 * 1024;
/** The freed start of a long output reads as at least so many zeros; few zeros are something that was printed. */
const HOLE_BYTES = 4096;
/** After so many lines of text the time is asked for; asking costs more than a line. */
const LINES_PER_LOOK = 64;
const NEWLINE = 10;
const BRACE = 123;

/** Which block of which file. */
export interface BlockPlace {
  readonly run: number;
  readonly file: OutputFile;
  readonly index: number;
}

/** The shown lines that begin in a block. Its last line may still grow, and then so does the block. */
export interface Block {
  /** Of each line: where it begins, how much of it is shown, and when it was printed. */
  readonly offsets: number[];
  readonly sizes: number[];
  readonly times: number[];
  /** Where reading continues: the next line begins here, unless this is inside a line. */
  position: number;
  isInLine: boolean;
  /** That line is too long, and what is shown of it was read. */
  isLong: boolean;
  /** So far there is only the freed start of the output. */
  isFreed: boolean;
  /** Every line that begins in it was read. */
  isOver: boolean;
  /** Was this summary printed near here? */
  isRepeated(text: string): boolean;
}

/** A block and what reading it needs. */
export interface OpenBlock extends Block {
  readonly place: BlockPlace;
  readonly begin: number;
  readonly end: number;
  readonly taker: LineTaker;
}

/** Nothing was read of it. */
export function openBlock(place: BlockPlace, taker: LineTaker): OpenBlock {
  const begin = place.index * BLOCK_BYTES;
  // The block before tells what the first lines of this one belong to, and the byte before that where a line begins.
  const from = begin - BLOCK_BYTES - 1;
  return {
    ...{ place, begin, end: begin + BLOCK_BYTES, taker },
    ...{ offsets: [], sizes: [], times: [] },
    position: Math.max(0, from),
    isInLine: from >= 0,
    ...{ isLong: false, isFreed: false },
    isOver: false,
    isRepeated: taker.isRepeated,
  };
}

/** The file as it is now. */
export interface FileNow {
  readonly bytes: number;
  /** Nothing will be added, so that the last line is complete without its newline. */
  readonly isWhole: boolean;
}

export interface BlockReading {
  readonly output: RunOutput;
  readonly pace: Pace;
  /** Of the length of the longest line that is read; used again for each read. */
  readonly memory: Uint8Array;
}

/** Reads what is new of a block; returns how many lines that took. */
export async function readBlock(
  block: OpenBlock,
  file: FileNow,
  { output, pace, memory }: BlockReading,
): Promise<number> {
  let lines = 0;
  for (let want = BLOCK_BYTES; !block.isOver && block.position < file.bytes; ) {
    const from = block.position;
    const max = Math.min(want, file.bytes - from);
    const bytes = await output.read(block.place.run, block.place.file, { from, max, into: memory });
    if (bytes.length === 0) return lines;
    lines += await takeLines(block, bytes, pace);
    if (block.position > from) want = BLOCK_BYTES;
    else if (from + bytes.length >= file.bytes && bytes.length < LINE_BYTES) {
      if (file.isWhole) takeRest(block, bytes);
      return lines;
    } else if (want < LINE_BYTES) want = LINE_BYTES;
    else takeStart(block, bytes);
  }
  return lines;
}

/** Takes the complete lines among some bytes; returns how many. */
async function takeLines(block: OpenBlock, bytes: Uint8Array, pace: Pace): Promise<number> {
  const { position: base, taker } = block;
  let count = 0;
  let start = enterLine(block, bytes);
  while (start !== null && base + start < block.end) {
    start += zerosAt(bytes, start);
    const line = lineAt(bytes, start);
    if (line === null) break;
    addLine(block, base, line);
    start = line.end + 1;
    count += 1;
    if ((line.hasBrace || count % LINES_PER_LOOK === 0) && pace.isDue()) await pace.rest();
  }
  taker.release();
  block.position = base + (start ?? bytes.length);
  finishIf(block, block.position >= block.end);
  return count;
}

function finishIf(block: OpenBlock, isOver: boolean): void {
  block.isOver = isOver;
  if (isOver) block.taker.end();
}

// Inside a line its end is searched for; null: it is not here.
function enterLine(block: OpenBlock, bytes: Uint8Array): number | null {
  if (!block.isInLine) return 0;
  const zeros = zerosAt(bytes, 0);
  const wasFreed = block.isFreed || zeros >= HOLE_BYTES;
  block.isFreed = wasFreed && zeros === bytes.length;
  const start = wasFreed && zeros < bytes.length ? zeros : bytes.indexOf(NEWLINE) + 1;
  block.isInLine = start === 0;
  block.isLong &&= block.isInLine;
  return start === 0 ? null : start;
}

function zerosAt(bytes: Uint8Array, start: number): number {
  let end = start;
  while (bytes[end] === 0) end += 1;
  return end - start;
}

function lineAt(bytes: Uint8Array, start: number): RawLine | null {
  let at = start;
  while (at < bytes.length && bytes[at] !== NEWLINE && bytes[at] !== BRACE) at += 1;
  const hasBrace = bytes[at] === BRACE;
  const end = hasBrace ? bytes.indexOf(NEWLINE, at) : at;
  return end < 0 || end >= bytes.length ? null : { bytes, start, end, hasBrace };
}

function addLine(block: OpenBlock, base: number, line: RawLine): void {
  const at = block.taker.take(line);
  const offset = base + line.start;
  if (at === null || offset < block.begin || offset >= block.end) return;
  block.offsets.push(offset);
  block.sizes.push(line.end - line.start);
  block.times.push(at);
}

// The last line of a program that ended without a newline.
function takeRest(block: OpenBlock, bytes: Uint8Array): void {
  const start = zerosAt(bytes, 0);
  if (start < bytes.length) {
    addLine(block, block.position, { bytes, start, end: bytes.length, hasBrace: bytes.includes(BRACE) });
  }
  block.taker.release();
  block.position += bytes.length;
  finishIf(block, true);
}

// Of a line that is too long only the start is shown.
function takeStart(block: OpenBlock, bytes: Uint8Array): void {
  const start = zerosAt(bytes, 0);
  if (start < bytes.length) {
    addLine(block, block.position, { bytes, start, end: Math.min(bytes.length, start + SHOWN_BYTES), hasBrace: false });
  }
  block.taker.release();
  block.position += bytes.length;
  [block.isInLine, block.isLong] = [true, true];
  finishIf(block, block.position >= block.end);
}
