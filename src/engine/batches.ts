import type { Activity } from "./activity.ts";

export interface Batches<T> {
  /** Adds an item behind the waiting ones, and starts working if nothing is being worked on. */
  add(item: T): void;
  /** Puts an item in front of the waiting ones; starts nothing. */
  addFirst(item: T): void;
  /** Starts working if nothing is being worked on, also if nothing waits. */
  poke(): void;
}

export interface BatchRules<T> {
  /** Maximum number of items in a batch. */
  readonly size: number;
  /** Called once when work starts, before the first batch. */
  readonly onStart: () => void;
  /** Called before each batch, and once after the last. What it adds is worked on too. */
  readonly beforeBatch: () => void;
  readonly work: (batch: readonly T[]) => Promise<void>;
  /** The work on this batch failed; the next batch follows. */
  readonly onError: (batch: readonly T[], error: unknown) => void;
  /** Called when nothing waits any more. */
  readonly onIdle: () => void;
}

/**
 * One batch at a time; items that arrive meanwhile share the next ones.
 *
 * Race windows, each forced by a test:
 * - an item that arrives while a batch is being worked on: the same run takes it (no lost wake-up, no second run);
 * - a batch that fails: the next one is still worked on;
 * - an item that `beforeBatch` adds when nothing else waits: it gets a batch of its own;
 * - an item that arrives while the end is announced: it starts another run, and nobody sees an idle moment between them.
 */
export function createBatches<T>(rules: BatchRules<T>, activity: Activity | undefined): Batches<T> {
  const queue: T[] = [];
  let busy = false;

  const run = async (): Promise<void> => {
    busy = true;
    const end = activity?.begin();
    rules.onStart();
    for (rules.beforeBatch(); queue.length > 0; rules.beforeBatch()) {
      const batch = queue.splice(0, rules.size);
      try {
        await rules.work(batch);
      } catch (error) {
        rules.onError(batch, error);
      }
    }
    busy = false;
    rules.onIdle();
    end?.();
  };
  const poke = (): void => {
    if (!busy) void run();
  };

  return {
    add: (item) => {
      queue.push(item);
      poke();
    },
    addFirst: (item) => queue.unshift(item),
    poke,
  };
}
