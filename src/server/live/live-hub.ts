import type { Log } from "../../ports/host.ts";
import type { Store } from "../../ports/store.ts";
import type { Batch } from "./batches.ts";
import type { ViewSources } from "./derive-view.ts";
import type { LivePlace } from "./live-id.ts";
import { startSignals } from "./live-signals.ts";
import { advance, changedAfter, startLive } from "./live-state.ts";
import { createStoreMark, NOTHING_MISSED, readMissed } from "./missed-views.ts";
import type { ViewKey } from "./touched-views.ts";

export interface HubSources extends ViewSources {
  readonly store: Pick<Store, "read">;
  readonly log: Pick<Log, "error">;
}

/** Where a client starts: after this batch and position, with these views that changed while it was disconnected. */
export interface Start extends End {
  readonly keys: readonly ViewKey[];
  /** Why it must reload everything; null: it need not. */
  readonly reset: string | null;
}

interface End {
  /** The number of the next batch. */
  readonly number: number;
  readonly place: LivePlace;
}

/** Called when there is something for a client. */
export interface Listener {
  wake(): void;
  signal(frames: ReadonlyMap<string, string>): void;
}

/** Changed views, derived once for all clients. */
export interface LiveHub {
  /** Wakes the listener from now on; returns a function that stops it. */
  listen(listener: Listener): () => void;
  /** Determines what a client missed; null: it starts now. */
  begin(from: LivePlace | null): Promise<Start>;
  batch(number: number): Batch | undefined;
  end(): End;
  /** The message of a view; null: it changed after `upTo`, and its own batch will bring it. */
  frame(key: ViewKey, upTo: number): string | null;
  /** The views that changed after a position; null: too long ago to know. */
  changedAfter(position: number): readonly ViewKey[] | null;
}

/** A busy fleet commits more often than people look; commits within this time share a batch. */
const GAP_MS = 50;

/** A hub that works only while there are listeners. */
export function createLiveHub(sources: HubSources, { gapMs = GAP_MS } = {}): LiveHub {
  const { engine, store } = sources;
  const listeners = new Set<Listener>();
  const readMark = createStoreMark(store);
  let mark: string | null = null;
  let live = startLive(0);
  let stop = (): void => undefined;

  const pace = createPace(gapMs, async (extra: Iterable<ViewKey>) => {
    const before = live.batches.end();
    await advance(live, { sources, extra, store: mark });
    if (live.batches.end() !== before) for (const listener of listeners) listener.wake();
  });
  const activate = (): (() => void) => {
    live = startLive(engine.lastPosition());
    const unsubscribe = engine.subscribe((events) => {
      live.arrived.push(...events);
      pace.soon([]);
    });
    const stopSignals = startSignals(sources, (frames) => {
      for (const listener of listeners) listener.signal(frames);
    });
    return () => {
      unsubscribe();
      stopSignals();
      live = startLive(0);
    };
  };
  const end = (): End => ({ number: live.batches.end(), place: { position: live.position, store: mark } });
  const begin = async (from: LivePlace | null): Promise<Start> => {
    mark = await readMark();
    const log = { store, mark, world: engine.world, last: engine.lastPosition() };
    const missed = from === null ? NOTHING_MISSED : await readMissed(from, log);
    return pace.now(missed.keys, () => {
      const since = changedAfter(live, missed.read);
      if (since === null || missed.reset !== null) {
        return { ...end(), keys: [], reset: missed.reset ?? "too-far-behind" };
      }
      return { ...end(), keys: [...new Set([...missed.keys, ...since])], reset: null };
    });
  };
  return {
    listen: (listener) => {
      if (listeners.size === 0) stop = activate();
      listeners.add(listener);
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) stop();
      };
    },
    begin,
    batch: (number) => live.batches.at(number),
    end,
    frame: (key, upTo) => {
      const kept = live.views.get(key);
      return kept === undefined || kept.version > upTo ? null : kept.frame;
    },
    changedAfter: (position) => changedAfter(live, position),
  };
}

/** Deriving takes at most about this share of the time. */
const MAX_SHARE = 0.2;

interface Pace<Input> {
  /** Runs as soon as the pace allows. */
  soon(input: Input): void;
  /** Runs now, after the current run, and reads the result before anything else runs. */
  now<T>(input: Input, read: () => T): Promise<T>;
}

/** One run at a time, with a pause after each that grows with its duration. */
function createPace<Input>(gapMs: number, run: (input: Input) => Promise<void>): Pace<Input> {
  let lane: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | null = null;
  let earliest = 0;
  const now = <T>(input: Input, read: () => T): Promise<T> => {
    const done = lane.then(async () => {
      const started = performance.now();
      await run(input);
      earliest = started + Math.max(gapMs, (performance.now() - started) / MAX_SHARE);
      return read();
    });
    lane = done.catch(() => undefined);
    return done;
  };
  return {
    now,
    soon: (input) => {
      if (timer !== null) return;
      const fire = (): void => {
        timer = null;
        void now(input, () => undefined);
      };
      timer = setTimeout(fire, Math.max(0, earliest - performance.now()));
    },
  };
}
