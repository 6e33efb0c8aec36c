import { AoError } from "../core/errors.ts";
import { canWant } from "../core/stream.ts";
import type { Clock, Log } from "../ports/host.ts";
import type { Loaded, OpenIntent, Store, StoredEvent } from "../ports/store.ts";
import type { Activity } from "./activity.ts";
import { createBatches } from "./batches.ts";
import { commitBatch, type LoopState } from "./commit-batch.ts";
import { createDecisionTime, type DecisionTime } from "./decision-time.ts";
import type { Faults } from "./fault.ts";
import type { CommandResult, Submission, Waiting } from "./submission.ts";
import { createWorldState, type WorldState } from "./world-state.ts";

export interface Loop {
  readonly world: WorldState;
  readonly openIntents: ReadonlyMap<string, OpenIntent>;
  /**
   * Decides, commits, publishes; resolves after the commit. Rejects with AoError if the command is rejected or the
   * store fails.
   */
  submit(submission: Submission): Promise<CommandResult>;
  /** Calls back after each commit; returns a function that unsubscribes. */
  subscribe(listener: (events: readonly StoredEvent[]) => void): () => void;
  /** Why commits fail at the moment; null if they do not. */
  trouble(): AoError | null;
  lastPosition(): number;
  /** How far this source is read and committed. */
  readTo(source: string): number;
  /** The time of decisions: never before the last event, even if the clock was set back since. */
  now(): number;
  close(): void;
}

export interface LoopDeps {
  readonly store: Store;
  readonly loaded: Loaded;
  readonly clock: Clock;
  readonly log: Log;
  readonly faults: Faults;
  /** Counts decisions, for callers that await quiescence. */
  readonly activity?: Activity;
}

/** Pause between two attempts to reach a failing store. */
const RETRY_MS = 1000;

/** Maximum number of waiting inputs that share a commit. */
const MAX_BATCH = 64;

/** The one place where decisions are made, one batch at a time, for the whole daemon. */
export function createLoop(deps: LoopDeps): Loop {
  const { clock, loaded } = deps;
  const time = createDecisionTime({ clock, lastAt: loaded.lastAt, onSleep: () => batches.poke() });
  const state = startState(deps, time);
  const { subscribe, publish } = createListeners(deps.log);
  let closed = false;
  let cancelTimer = (): void => undefined;
  // A sleep whose commit failed; the next attempt of anything records it first.
  let owedMs = 0;
  const recordSleep = (sleptMs: number): void => {
    const owe = (): void => {
      owedMs += sleptMs;
    };
    const input = { type: "daemon.woke", sleptMs } as const;
    if (sleptMs > 0) batches.addFirst({ input, resolve: () => undefined, reject: owe });
  };

  const batches = createBatches<Waiting>(
    {
      size: MAX_BATCH,
      onStart: () => {
        const sleptMs = owedMs;
        owedMs = 0;
        recordSleep(sleptMs);
      },
      // Before each batch, so that nothing is overdue merely because the machine slept.
      beforeBatch: () => recordSleep(time.takeSleep()),
      work: (batch) => commitBatch({ ...deps, time, publish }, state, batch),
      onError: (batch, error) => {
        for (const waiting of batch) waiting.reject(error);
      },
      onIdle: () => {
        cancelTimer();
        if (!closed) cancelTimer = startTimer(deps, { state, time, submit });
      },
    },
    deps.activity,
  );
  const submit = (submission: Submission): Promise<CommandResult> =>
    new Promise((resolve, reject) => {
      if (closed) return reject(new AoError({ code: "daemon-unreachable", message: "The daemon is shutting down." }));
      batches.add({ ...submission, resolve, reject });
    });

  return {
    world: state.world,
    openIntents: state.openIntents,
    submit,
    subscribe,
    trouble: () => state.trouble,
    lastPosition: () => state.lastPosition,
    readTo: (source) => state.positions.get(source) ?? 0,
    now: time.now,
    close: () => {
      closed = true;
      time.stop();
      cancelTimer();
    },
  };
}

function startState({ store, loaded }: LoopDeps, { now }: DecisionTime): LoopState {
  // After a start every stream is examined once; what it waits for follows from its state.
  const streams = [...loaded.states.keys()].filter(canWant);
  return {
    world: createWorldState(loaded.states, { archive: store.archive, now }),
    openIntents: new Map(loaded.intents.map((intent) => [intent.id, intent])),
    wakes: new Map(streams.map((stream) => [stream, 0])),
    positions: new Map(loaded.positions),
    lastPosition: loaded.lastPosition,
    trouble: null,
  };
}

interface TimerParts {
  readonly state: LoopState;
  readonly time: DecisionTime;
  readonly submit: Loop["submit"];
}

// Wakes the loop when the next stream is due; returns a function that cancels it.
function startTimer({ clock, log }: LoopDeps, { state, time, submit }: TimerParts): () => void {
  const { wakes, trouble } = state;
  if (wakes.size === 0 && trouble === null) return () => undefined;
  const next = trouble === null ? Math.min(...wakes.values()) - time.now() : RETRY_MS;
  return clock.after(Math.max(0, next), () => {
    // While commits fail, a small write detects when they work again; effects then continue by themselves.
    const positions = state.trouble === null ? [] : [{ source: "store:probe", position: clock.now() }];
    submit({ input: { type: "timer" }, positions }).catch((error: unknown) =>
      log.error("a timer failed", { reason: String(error) }),
    );
  });
}

function createListeners(log: Log): {
  readonly subscribe: Loop["subscribe"];
  readonly publish: (stored: readonly StoredEvent[]) => void;
} {
  const listeners = new Set<(events: readonly StoredEvent[]) => void>();
  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    publish: (stored) => {
      for (const listener of listeners) {
        // The events are in the log: a listener that fails must not make its commit look failed, or keep the others
        // waiting.
        try {
          listener(stored);
        } catch (error) {
          log.error("a listener of the log failed", { reason: String(error) });
        }
      }
    },
  };
}
