/** What one flush sends to every client, encoded once. */
export interface Batch {
  readonly position: number;
  readonly bytes: Uint8Array;
}

/** The last batches, by number; old ones are dropped if there are too many or they are too large together. */
export interface Batches {
  /** The number of the next batch. */
  end(): number;
  /** Undefined: does not exist yet, or dropped. */
  at(number: number): Batch | undefined;
  /** The position of the oldest kept batch. */
  oldest(): number | undefined;
  push(batch: Batch): void;
}

/** Keeps at most this many batches and bytes; always keeps the newest. */
export function createBatches(limits: { readonly count: number; readonly bytes: number }): Batches {
  let kept: Batch[] = [];
  let first = 0;
  let size = 0;
  return {
    end: () => first + kept.length,
    at: (number) => kept[number - first],
    oldest: () => kept[0]?.position,
    push: (batch) => {
      kept.push(batch);
      size += batch.bytes.length;
      let dropped = 0;
      while (kept.length - dropped > 1 && (kept.length - dropped > limits.count || size > limits.bytes)) {
        size -= kept[dropped]?.bytes.length ?? 0;
        dropped += 1;
      }
      kept = dropped === 0 ? kept : kept.slice(dropped);
      first += dropped;
    },
  };
}
