import type { Entry, Window } from "../../core/transcript/merge.ts";
import type { OutputFile } from "../../ports/run-output.ts";
import { outputKey, placeOf } from "./cursor.ts";
import { BLOCK_BYTES, type Block, LINE_BYTES } from "./output-block.ts";
import { firstBlock, type OutputReader } from "./output-reader.ts";
import type { PrintTimes } from "./print-times.ts";

/** A shown line of a run's output; its text stays in the file. */
export interface OutputEntry extends Entry {
  readonly key: number;
  readonly stream: OutputFile;
  readonly run: number;
  readonly offset: number;
}

/** How much a page needs at most: entries, and bytes of them. */
export interface Need {
  readonly count: number;
  readonly bytes: number;
}

/** What was read next to a place, and the key up to which that is everything. */
export interface Found extends Window<OutputEntry> {
  readonly reached: number;
}

/** The output of a session's runs, one after another, as it is at one moment. */
export interface OutputSource {
  /** The key after everything that is complete. */
  end(file: OutputFile): Promise<number>;
  /** The entries before a key. */
  before(file: OutputFile, key: number, need: Need): Promise<Found>;
  /** The entries from a key on. */
  after(file: OutputFile, key: number, need: Need): Promise<Found>;
  /** Was this summary also printed, near this place? */
  isRepeated(key: number, text: string): Promise<boolean>;
}

interface Context {
  readonly reader: OutputReader;
  readonly times: PrintTimes;
}

/** How many blocks before the end of a file an incomplete line may begin; of a longer one only the start is shown. */
const LOOK_BACK = LINE_BYTES / BLOCK_BYTES + 2;

/** Reads output in bounded pages from any place, in both directions. */
export function createOutputSource(context: Context): OutputSource {
  return {
    end: (file) => findEnd(context, file),
    before: (file, key, need) => readBefore(context, file, { key, need }),
    after: (file, key, need) => readAfter(context, file, { key, need }),
    isRepeated: (key, text) => isRepeated(context, key, text),
  };
}

async function findEnd({ reader }: Context, file: OutputFile): Promise<number> {
  const { lastRun: run } = reader.facts;
  if (run === 0) return 0;
  const { bytes } = await reader.file(run, file);
  const last = Math.floor(Math.max(0, bytes - 1) / BLOCK_BYTES);
  for (let index = last; index >= Math.max(0, last - LOOK_BACK); index -= 1) {
    const block = await reader.block(run, file, index);
    if (!block.isInLine) return outputKey(run, block.position);
    if (block.isLong) break;
  }
  return outputKey(run, bytes);
}

interface Reading {
  readonly key: number;
  readonly need: Need;
}

async function readBefore(context: Context, file: OutputFile, { key, need }: Reading): Promise<Found> {
  const { reader } = context;
  const gathered = createGathering(need);
  let { run, offset } = placeOf(Math.min(key, outputKey(reader.facts.lastRun + 1, 0)));
  for (; run >= 1; run -= 1, offset = Number.POSITIVE_INFINITY) {
    const now = await reader.file(run, file);
    for (let index = Math.ceil(Math.min(offset, now.bytes) / BLOCK_BYTES) - 1; index >= firstBlock(now); index -= 1) {
      const block = await reader.block(run, file, index);
      for (let which = countBelow(block.offsets, offset) - 1; which >= 0; which -= 1) {
        if (gathered.isFull()) return gathered.backward(false, gathered.lastKey());
        gathered.add(entryOf(context, { run, file, block, which }));
      }
      if (reader.isSpent(gathered.hasEntries())) return gathered.backward(false, outputKey(run, index * BLOCK_BYTES));
    }
    if (reader.isSpent(gathered.hasEntries())) return gathered.backward(false, outputKey(run, 0));
  }
  return gathered.backward(true, 0);
}

async function readAfter(context: Context, file: OutputFile, { key, need }: Reading): Promise<Found> {
  const { reader } = context;
  const { lastRun } = reader.facts;
  const gathered = createGathering(need);
  const start = placeOf(key);
  let reached = key;
  for (let run = Math.max(1, start.run); run <= lastRun; run += 1) {
    const from = run === start.run ? start.offset : 0;
    const found = await readRunAfter(context, { run, file, from, gathered });
    if (!found.isEnd) return gathered.forward(false, found.reached);
    reached = Math.max(key, found.reached);
    if (run < lastRun && reader.isSpent(gathered.hasEntries())) return gathered.forward(false, outputKey(run + 1, 0));
  }
  return gathered.forward(true, reached);
}

interface RunReading {
  readonly run: number;
  readonly file: OutputFile;
  readonly from: number;
  readonly gathered: Gathering;
}

async function readRunAfter(
  context: Context,
  { run, file, from, gathered }: RunReading,
): Promise<{ readonly isEnd: boolean; readonly reached: number }> {
  const { reader } = context;
  const now = await reader.file(run, file);
  const offset = Math.max(from, firstBlock(now) * BLOCK_BYTES);
  let reached = offset;
  for (let index = Math.floor(offset / BLOCK_BYTES); index * BLOCK_BYTES < now.bytes; index += 1) {
    const block = await reader.block(run, file, index);
    for (let which = countBelow(block.offsets, offset); which < block.offsets.length; which += 1) {
      if (gathered.isFull()) return { isEnd: false, reached: gathered.lastKey() + 1 };
      gathered.add(entryOf(context, { run, file, block, which }));
    }
    // An incomplete line is read once it is complete, also if it goes on in the next block.
    reached = Math.max(offset, block.isOver ? (index + 1) * BLOCK_BYTES : block.position);
    if (!block.isOver) break;
    if (reader.isSpent(gathered.hasEntries())) return { isEnd: false, reached: outputKey(run, reached) };
  }
  return { isEnd: true, reached: outputKey(run, reached) };
}

async function isRepeated({ reader }: Context, key: number, text: string): Promise<boolean> {
  const { run, offset } = placeOf(key);
  if (run < 1 || run > reader.facts.lastRun) return false;
  const { bytes } = await reader.file(run, "out");
  const middle = Math.floor(offset / BLOCK_BYTES);
  for (let index = Math.max(0, middle - 1); index <= middle + 1 && index * BLOCK_BYTES < bytes; index += 1) {
    if ((await reader.block(run, "out", index)).isRepeated(text)) return true;
  }
  return false;
}

interface LinePlace {
  readonly run: number;
  readonly file: OutputFile;
  readonly block: Block;
  readonly which: number;
}

function entryOf({ reader, times }: Context, { run, file, block, which }: LinePlace): OutputEntry {
  const [offset, size] = [block.offsets[which] ?? 0, block.sizes[which] ?? 0];
  const at = file === "err" ? times.at(run, file, offset) : (block.times[which] ?? 0);
  const notBefore = reader.facts.timeOf(`run:${run}`) ?? 0;
  return { key: outputKey(run, offset), stream: file, run, offset, size, at: Math.max(at, notBefore) };
}

interface Gathering {
  add(entry: OutputEntry): void;
  isFull(): boolean;
  hasEntries(): boolean;
  lastKey(): number;
  forward(isEnd: boolean, reached: number): Found;
  backward(isEnd: boolean, reached: number): Found;
}

function createGathering(need: Need): Gathering {
  const entries: OutputEntry[] = [];
  let bytes = 0;
  return {
    add: (entry) => {
      entries.push(entry);
      bytes += entry.size;
    },
    isFull: () => entries.length >= need.count || bytes > need.bytes,
    hasEntries: () => entries.length > 0,
    lastKey: () => entries.at(-1)?.key ?? 0,
    forward: (isEnd, reached) => ({ entries, isEnd, reached }),
    backward: (isEnd, reached) => ({ entries: entries.reverse(), isEnd, reached }),
  };
}

function countBelow(offsets: readonly number[], offset: number): number {
  let low = 0;
  for (let high = offsets.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((offsets[middle] ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
