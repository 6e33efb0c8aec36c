import { type Activity, createActivity } from "./activity.ts";

/** What the lanes need to know about their items. */
export interface LaneRules<T> {
  /** The items to run, in order. Read again at every poke, so what was withdrawn meanwhile is not started. */
  waiting(): Iterable<T>;
  /** Items of one lane run one after another. */
  laneOf(item: T): string;
  kindOf(item: T): string;
  /** How many of a kind may run at once. */
  limitOf(kind: string): number;
  /** Must handle its own failures; one that escapes still frees the lane and goes to `onError`. */
  run(item: T): Promise<void>;
  onError(item: T, error: unknown): void;
}

export interface Lanes {
  /** Starts items from now on. */
  open(): void;
  /** Starts everything that can start now, and returns how many that were; call after anything that adds items. */
  poke(): number;
  /** Starts no more; resolves when the running ones have ended. */
  drain(): Promise<void>;
}

/**
 * Keyed serial lanes with a limit per kind.
 *
 *           poke: first of its lane, kind below its limit
 *   free ─────────────────────────────────────────────────▶ busy
 *    ▲                                                        │
 *    └────────── run ends or throws, then poke ◀──────────────┘
 *
 * Race windows, each forced by a test:
 * - an item that arrives while its lane is busy: the poke at the end of the run starts it (no lost wake-up);
 * - a poke from inside `run`: the lane is marked busy before `run` is called (no double start);
 * - an item withdrawn while it waits: `waiting` is read again at every poke;
 * - the first item of a lane is held by its kind's limit: the ones behind it wait too, so a lane keeps its order;
 * - the last free place of a kind, wanted by two lanes in one poke: it is counted before the second is considered;
 * - a run that throws: the lane is freed and the next item starts;
 * - a drain during a run: the poke at the end of the run starts nothing.
 */
export function createLanes<T>(rules: LaneRules<T>, activity: Activity): Lanes {
  const busy = new Set<string>();
  const running = new Map<string, number>();
  const own = createActivity();
  let isOpen = false;

  const poke = (): number => {
    if (!isOpen) return 0;
    let started = 0;
    const held = new Set<string>();
    for (const item of [...rules.waiting()]) {
      const lane = rules.laneOf(item);
      if (busy.has(lane) || held.has(lane)) continue;
      const kind = rules.kindOf(item);
      if ((running.get(kind) ?? 0) < rules.limitOf(kind)) {
        started += 1;
        void occupy(item, lane, kind);
      } else held.add(lane);
    }
    return started;
  };

  const occupy = async (item: T, lane: string, kind: string): Promise<void> => {
    const ends = [own.begin(), activity.begin()];
    busy.add(lane);
    running.set(kind, (running.get(kind) ?? 0) + 1);
    try {
      await rules.run(item);
    } catch (error) {
      rules.onError(item, error);
    } finally {
      busy.delete(lane);
      running.set(kind, (running.get(kind) ?? 1) - 1);
      poke();
      for (const end of ends) end();
    }
  };

  return {
    open: () => {
      isOpen = true;
      poke();
    },
    poke,
    drain: () => {
      isOpen = false;
      return own.idle();
    },
  };
}
