import type { OpenBlock } from "./output-block.ts";

/** The blocks that were read last, so that viewers of the same output share the work. */
export interface BlockCache {
  get(name: string): OpenBlock | undefined;
  /** Keeps a block that is used now. */
  keep(name: string, block: OpenBlock): void;
  forget(name: string): void;
}

/** What all blocks together may hold: about 8 MiB. */
const MAX_BLOCKS = 2000;
const MAX_LINES = 250_000;

/** Keeps the blocks that were used last, of all sessions together. */
export function createBlockCache(): BlockCache {
  const kept = new Map<string, OpenBlock>();
  let used = 0;
  const shrink = (): void => {
    let lines = [...kept.values()].reduce((sum, { offsets }) => sum + offsets.length, 0);
    for (const [name, { offsets }] of kept) {
      if (kept.size <= MAX_BLOCKS && lines <= MAX_LINES) return;
      kept.delete(name);
      lines -= offsets.length;
    }
  };
  return {
    get: (name) => kept.get(name),
    keep: (name, block) => {
      kept.delete(name);
      used += 1;
      // Counting the lines of all blocks each time would cost more than reading one.
      if (used % 16 === 0) shrink();
      kept.set(name, block);
    },
    forget: (name) => void kept.delete(name),
  };
}
