import { type OutputFile, outputStart, type RunOutput } from "../../ports/run-output.ts";
import type { Pace } from "../read-log.ts";
import type { BlockCache } from "./block-cache.ts";
import { BLOCK_BYTES, type Block, type FileNow, openBlock, readBlock } from "./output-block.ts";
import type { OutputForm } from "./output-content.ts";
import { createLineTaker } from "./take-line.ts";

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
  /** Called with the size of each file that is looked at. */
  onSize(run: number, file: OutputFile, size: { readonly bytes: number; readonly changedAt: number }): void;
}

/** What one call reads at most; a page of it may then be short, or empty, and its cursor goes on. */
const BUDGET = 4 * 1024 * 1024;
/** Finding that a block has no new lines, or a run no output, costs less than reading lines. */
const EMPTY_COST = 8 * 1024;

/** Opens a session's output for one call. */
export function openOutputReader(parts: ReaderParts, facts: RunFacts): OutputReader {
  const { scope, output, blocks, pace, onSize } = parts;
  const files = new Map<string, FileNow>();
  let left = BUDGET;

  const file = async (run: number, name: OutputFile): Promise<FileNow> => {
    const key = `${run}/${name}`;
    const known = files.get(key);
    if (known !== undefined) return known;
    const size = await output.size(run, name);
    if (size !== null) onSize(run, name, size);
    const now = { bytes: size?.bytes ?? 0, isWhole: run < facts.lastRun || facts.isLastOver };
    files.set(key, now);
    left -= EMPTY_COST;
    return now;
  };

  return {
    facts,
    file,
    block: async (run, name, index) => {
      const key = `${scope}/${run}/${name}/${index}`;
      const block = blocks.get(key, () => openBlock({ run, file: name, index }, takerOf(facts, run, name)));
      try {
        const lines = await readBlock(block, await file(run, name), { output, pace });
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

function takerOf({ form, timeOf }: RunFacts, run: number, file: OutputFile): ReturnType<typeof createLineTaker> {
  return createLineTaker({ form: file === "out" ? form : "plain", notBefore: timeOf(`run:${run}`) ?? 0, timeOf });
}
