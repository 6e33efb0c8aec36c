import type { OpenBlock } from "./output-block.ts";

/** The blocks that were read last, so that viewers of the same output share the work. */
export interface BlockCache {
  /** A block that is known, or a new one. */
  get(name: string, open: () => OpenBlock): OpenBlock;
  forget(name: string): void;
}

/** What all blocks together may hold: about 16 MiB. */
const MAX_BLOCKS = 64;
const MAX_LINES = 400_000;

/** Keeps the blocks that were used last, of all sessions together. */
export function createBlockCache(): BlockCache {
  const kept = new Map<string, OpenBlock>();
  const shrink = (): void => {
    let lines = [...kept.values()].reduce((sum, { offsets }) => sum + offsets.length, 0);
    for (const [name, { offsets }] of kept) {
      if (kept.size <= MAX_BLOCKS && lines <= MAX_LINES) return;
      kept.delete(name);
      lines -= offsets.length;
    }
  };
  return {
    get: (name, open) => {
      const block = kept.get(name) ?? open();
      kept.delete(name);
      shrink();
      kept.set(name, block);
      return block;
    },
    forget: (name) => void kept.delete(name),
  };
}
