import { type OutputFile, outputStart, type RunOutput } from "../../ports/run-output.ts";
import type { Pace } from "../read-log.ts";
import type { BlockCache } from "./block-cache.ts";
import { BLOCK_BYTES, type Block, type FileNow, openBlock, readBlock } from "./output-block.ts";
import type { OutputForm } from "./output-content.ts";
import type { PrintTimes } from "./print-times.ts";
import type { StartTimes } from "./start-time.ts";
import { createLineTaker, type LineTaker } from "./take-line.ts";

/** What is known about the session that printed it. */
export interface RunFacts {
  readonly lastRun: number;
  readonly isLastOver: boolean;
  readonly form: OutputForm;
  /** When something happened according to the log, such as `run:2` or `received:m-1`. */
  timeOf(name: string): number | undefined;
}

/** The files of a session's runs as they are during one call, block by block. */
export interface OutputReader {
  readonly facts: RunFacts;
  file(run: number, file: OutputFile): Promise<FileNow>;
  block(run: number, file: OutputFile, index: number): Promise<Block>;
  /** Was so much read that the call should end? With something to show, it ends sooner. */
  isSpent(hasEntries: boolean): boolean;
}

export interface ReaderParts {
  /** The name of these facts about a session: blocks that were read with other facts are not used. */
  readonly scope: string;
  readonly output: RunOutput;
  readonly blocks: BlockCache;
  readonly pace: Pace;
  readonly memory: Uint8Array;
  readonly startTimes: StartTimes;
  readonly times: PrintTimes;
}

/** What one call reads at most; a page of it may then be short, or empty, and its cursor goes on. */
const BUDGET = 4 * 1024 * 1024;
/** Finding that a block has no new lines, or a run no output, costs less than reading lines. */
const EMPTY_COST = 2 * 1024;

/** Opens a session's output for one call. */
export function openOutputReader(parts: ReaderParts, facts: RunFacts): OutputReader {
  const { scope, output, blocks, pace, memory, startTimes, times } = parts;
  const reading = { output, pace, memory };
  const files = new Map<string, FileNow>();
  let left = BUDGET;

  const file = async (run: number, name: OutputFile): Promise<FileNow> => {
    const key = `${run}/${name}`;
    const known = files.get(key);
    if (known !== undefined) return known;
    const size = await output.size(run, name);
    if (size !== null) times.note(run, name, size);
    const now = { bytes: size?.bytes ?? 0, isWhole: run < facts.lastRun || facts.isLastOver };
    files.set(key, now);
    left -= EMPTY_COST;
    return now;
  };

  const takerFor = async (run: number, name: OutputFile, index: number): Promise<LineTaker> => {
    const notBefore = facts.timeOf(`run:${run}`) ?? 0;
    const form = name === "out" ? facts.form : "plain";
    const known = { form, notBefore, timeOf: facts.timeOf };
    if (form === "plain" || index < 2) return createLineTaker(known);
    const now = await file(run, name);
    const start = await startTimes({ scope, run, index, first: firstBlock(now) }, reading, known);
    // Of text that goes on for very long it is only known when it was noticed.
    const noticedAt = start.isSure ? 0 : times.at(run, name, index * BLOCK_BYTES);
    return createLineTaker({ ...known, notBefore: Math.max(notBefore, start.at ?? noticedAt) });
  };

  return {
    facts,
    file,
    block: async (run, name, index) => {
      const key = `${scope}/${run}/${name}/${index}`;
      const now = await file(run, name);
      const block = blocks.get(key) ?? openBlock({ run, file: name, index }, await takerFor(run, name, index));
      blocks.keep(key, block);
      try {
        const lines = await readBlock(block, now, reading);
        left -= lines > 0 ? BLOCK_BYTES : EMPTY_COST;
      } catch (error) {
        blocks.forget(key);
        throw error;
      }
      return block;
    },
    isSpent: (hasEntries) => left <= (hasEntries ? BUDGET / 2 : 0),
  };
}

/** What is before the kept part of a long output was freed. */
export function firstBlock({ bytes }: FileNow): number {
  return Math.floor(outputStart(bytes) / BLOCK_BYTES);
}
