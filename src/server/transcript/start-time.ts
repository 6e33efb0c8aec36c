import { BLOCK_BYTES, type BlockReading, openBlock, readBlock } from "./output-block.ts";
import { createLineTaker, type TakerFacts } from "./take-line.ts";

/** How many blocks back a line with a time is searched for. */
const LOOK_BACK = 128;
const MAX_KNOWN = 4000;
const BRACE = 123;

/** When the last line before a block was printed, as far as lines say. */
export type StartTimes = (place: StartPlace, reading: BlockReading, facts: TakerFacts) => Promise<StartTime>;

export interface StartPlace {
  readonly scope: string;
  readonly run: number;
  readonly index: number;
  /** The first block that is kept. */
  readonly first: number;
}

export interface StartTime {
  /** null: no line says it. */
  readonly at: number | null;
  /** There was nothing more to search. */
  readonly isSure: boolean;
}

/** Searches back from block to block; text without a brace is passed over without reading its lines. */
export function createStartTimes(): StartTimes {
  const known = new Map<string, number | null>();
  return async ({ scope, run, index, first }, reading, facts) => {
    // The lines of a block and of the one before it are read for the block itself.
    const last = index - 2;
    for (let at = last; at >= first; at -= 1) {
      if (last - at >= LOOK_BACK) return { at: null, isSure: false };
      const name = `${scope}/${run}/${at}`;
      let time = known.get(name);
      if (time === undefined) {
        time = await lastTimeIn(run, at, { ...reading, facts });
        if (known.size >= MAX_KNOWN) known.clear();
        known.set(name, time);
      }
      if (time !== null) return { at: time, isSure: true };
    }
    return { at: null, isSure: first === 0 };
  };
}

async function lastTimeIn(
  run: number,
  index: number,
  { facts, ...reading }: BlockReading & { readonly facts: TakerFacts },
): Promise<number | null> {
  const { output, memory, pace } = reading;
  const from = index * BLOCK_BYTES;
  const bytes = await output.read(run, "out", { from, max: BLOCK_BYTES, into: memory });
  if (pace.isDue()) await pace.rest();
  if (bytes.lastIndexOf(BRACE) < 0) return null;
  const taker = createLineTaker({ ...facts, notBefore: 0 });
  await readBlock(
    openBlock({ run, file: "out", index }, taker),
    { bytes: from + BLOCK_BYTES, isWhole: false },
    reading,
  );
  return taker.seenTime();
}
