import { callersKey, readReceipt, toReceipt } from "../core/command-key.ts";
import { AoError } from "../core/errors.ts";
import { mustReachDisk } from "../core/event-catalog.ts";
import type { Input } from "../core/input.ts";
import { canWant, type StreamId } from "../core/stream.ts";
import type { Clock, Log } from "../ports/host.ts";
import type { Batch, Loaded, OpenIntent, Store, StoredEvent } from "../ports/store.ts";
import type { Activity } from "./activity.ts";
import type { Faults } from "./fault.ts";
import { type Plan, planBatch } from "./plan-batch.ts";
import { createWorldState, type WorldState } from "./world-state.ts";

export interface Submission {
  readonly input: Input;
  /** Read positions of an observation; committed with its events. */
  readonly positions?: readonly { readonly source: string; readonly position: number }[];
  /** A command with this key is carried out once; a repetition gets the first answer. */
  readonly key?: string | undefined;
}

export type CommandResult = Readonly<Record<string, unknown>>;

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

interface Waiting extends Submission {
  readonly resolve: (result: CommandResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Pause between two attempts to reach a failing store. */
const RETRY_MS = 1000;

/** The loop's heartbeat interval, and how far the clock may be ahead of it before the machine must have slept. */
const BEAT_MS = 10_000;
const SLEEP_MS = 30_000;

/** Maximum number of waiting inputs that share a commit. */
const MAX_BATCH = 64;

/** The one place where decisions are made, one batch at a time, for the whole daemon. */
export function createLoop(deps: LoopDeps): Loop {
  const { store, clock, log, faults } = deps;
  const world = createWorldState(deps.loaded.states, { archive: store.archive, now: () => now() });
  const open = new Map(deps.loaded.intents.map((intent) => [intent.id, intent]));
  const listeners = new Set<(events: readonly StoredEvent[]) => void>();
  // After a start every stream is examined once; what it waits for follows from its state.
  const streams = [...deps.loaded.states.keys()].filter(canWant);
  const wakes = new Map<StreamId, number>(streams.map((stream) => [stream, 0]));
  const queue: Waiting[] = [];
  let lastPosition = deps.loaded.lastPosition;
  let lastAt = deps.loaded.lastAt;
  // An event from the future, of a wrong clock, must not stop time until the clock has caught up: time continues from
  // there.
  let aheadMs = Math.max(0, lastAt - clock.now());
  const now = (): number => Math.max(clock.now() + aheadMs, lastAt);
  let busy = false;
  let closed = false;
  let trouble: AoError | null = null;
  let cancelTimer = (): void => undefined;

  // Timers stop while a machine sleeps, so if the clock is far ahead of the last heartbeat, it has slept.
  let lastBeat = clock.now();
  let cancelBeat = (): void => undefined;
  const beat = (): void => {
    if (clock.now() - lastBeat <= SLEEP_MS) lastBeat = clock.now();
    else if (!busy) void pump();
    cancelBeat = clock.after(BEAT_MS, beat);
  };
  // A sleep whose commit failed; the next attempt of anything records it first.
  let owedMs = 0;
  const recordSleep = (sleptMs: number): void => {
    const owe = (): void => {
      owedMs += sleptMs;
    };
    queue.unshift({ input: { type: "daemon.woke", sleptMs }, resolve: () => undefined, reject: owe });
  };
  const noticeSleep = (): void => {
    const sleptMs = clock.now() - lastBeat;
    if (sleptMs <= SLEEP_MS) return;
    lastBeat = clock.now();
    aheadMs = Math.max(0, aheadMs - sleptMs);
    recordSleep(sleptMs);
  };

  const submit = (submission: Submission): Promise<CommandResult> =>
    new Promise((resolve, reject) => {
      if (closed) return reject(new AoError({ code: "daemon-unreachable", message: "The daemon is shutting down." }));
      queue.push({ ...submission, resolve, reject });
      if (!busy) void pump();
    });

  const pump = async (): Promise<void> => {
    busy = true;
    const end = deps.activity?.begin();
    if (owedMs > 0) recordSleep(owedMs);
    owedMs = 0;
    // Before each batch, so that nothing is overdue merely because the machine slept.
    for (noticeSleep(); queue.length > 0; noticeSleep()) {
      const batch = queue.splice(0, MAX_BATCH);
      try {
        await decideBatch(batch, now());
      } catch (error) {
        for (const waiting of batch) waiting.reject(error);
      }
    }
    busy = false;
    schedule();
    end?.();
  };

  const decideBatch = async (arrived: readonly Waiting[], at: number): Promise<void> => {
    const batch: Waiting[] = [];
    for (const waiting of arrived) {
      const receipt = waiting.key === undefined ? null : await store.receipt(callersKey(waiting.key));
      if (receipt === null || waiting.key === undefined) batch.push(waiting);
      else answerAgain(waiting, readReceipt(waiting.key, receipt));
    }
    if (batch.length === 0) return;
    const draft = world.draft();
    const due = [...wakes].filter(([, wakeAt]) => wakeAt <= at).map(([stream]) => stream);
    const inputs = batch.map((waiting) => waiting.input);
    const finished = new Set<string>();
    const plan = planBatch(draft, inputs, due, { open, isFinished: (id) => finished.has(id) }, at);
    for (const intent of plan.recorded) if (await store.isFinished(intent.id)) finished.add(intent.id);
    if (finished.size > 0) {
      log.error("a finished intent was wanted again", { ids: [...finished] });
      const clean = world.draft();
      const again = planBatch(clean, inputs, due, { open, isFinished: (id) => finished.has(id) }, at);
      await commit(clean, again, batch, at);
      return;
    }
    await commit(draft, plan, batch, at);
  };

  const commit = async (
    draft: ReturnType<WorldState["draft"]>,
    plan: Plan,
    batch: readonly Waiting[],
    at: number,
  ): Promise<void> => {
    if (!plan.isSettled)
      log.error("what follows from the state does not come to an end", { events: plan.events.length });
    const record = toBatch(draft.changed, plan, batch, at);
    if (hasContent(record)) {
      faults("commit:before", "");
      let stored: readonly StoredEvent[];
      try {
        stored = await store.append(record, lastPosition);
      } catch (error) {
        trouble =
          error instanceof AoError ? error : new AoError({ code: "internal", message: String(error), cause: error });
        log.error("a commit failed; nothing advanced", { reason: trouble.message });
        throw trouble;
      }
      trouble = null;
      faults("commit:after", stored.map(({ event }) => event.type).join(","));
      world.adopt(draft);
      lastPosition += stored.length;
      lastAt = stored.length > 0 ? at : lastAt;
      updateIntents(open, plan);
      updateWakes(wakes, plan);
      publish(stored);
    } else {
      updateWakes(wakes, plan);
    }
    answer(plan, batch);
  };

  // The events are in the log: a listener that fails must not make its commit look failed, or keep the others waiting.
  const tell = (listener: (events: readonly StoredEvent[]) => void, stored: readonly StoredEvent[]): void => {
    try {
      listener(stored);
    } catch (error) {
      log.error("a listener of the log failed", { reason: String(error) });
    }
  };

  const publish = (stored: readonly StoredEvent[]): void => {
    for (const listener of listeners) tell(listener, stored);
    faults("publish:after", stored.map(({ event }) => event.type).join(","));
  };

  const schedule = (): void => {
    cancelTimer();
    if (closed || (wakes.size === 0 && trouble === null)) return;
    const next = trouble === null ? Math.min(...wakes.values()) - now() : RETRY_MS;
    cancelTimer = clock.after(Math.max(0, next), () => {
      // While commits fail, a small write detects when they work again; effects then continue by themselves.
      const positions = trouble === null ? [] : [{ source: "store:probe", position: clock.now() }];
      submit({ input: { type: "timer" }, positions }).catch((error: unknown) =>
        log.error("a timer failed", { reason: String(error) }),
      );
    });
  };

  beat();
  return {
    world,
    openIntents: open,
    submit,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    trouble: () => trouble,
    lastPosition: () => lastPosition,
    now,
    close: () => {
      closed = true;
      cancelBeat();
      cancelTimer();
    },
  };
}

function toBatch(
  changed: ReturnType<WorldState["draft"]>["changed"],
  plan: Plan,
  batch: readonly Waiting[],
  now: number,
): Batch {
  const receipts = batch.flatMap(({ key }, index) => {
    const decision = plan.decisions[index];
    return key !== undefined && decision?.kind === "accepted"
      ? [{ key: callersKey(key), result: toReceipt(key, decision.result ?? {}) }]
      : [];
  });
  return {
    events: plan.events.map(({ stream, event }) => ({ stream, event, at: now })),
    states: [...changed].map(([stream, state]) => ({ stream, state, wakeAt: plan.wakes.get(stream) ?? null })),
    recorded: plan.recorded,
    started: plan.started,
    finished: plan.finished,
    forgotten: plan.forgotten,
    positions: batch.flatMap((waiting) => waiting.positions ?? []),
    receipts,
    durable: plan.started.length > 0 || receipts.length > 0 || plan.events.some(({ event }) => mustReachDisk(event)),
  };
}

function answerAgain(waiting: Waiting, result: CommandResult | null): void {
  const message = "This idempotency key was used for another request, so nothing was done.";
  if (result !== null) waiting.resolve(result);
  else waiting.reject(new AoError({ code: "key-reused", message, hint: "Send a new key with each new request." }));
}

function hasContent(batch: Batch): boolean {
  return batch.events.length + batch.positions.length + batch.receipts.length > 0;
}

function answer(plan: Plan, batch: readonly Waiting[]): void {
  batch.forEach((waiting, index) => {
    const decision = plan.decisions[index];
    if (decision?.kind === "rejected") waiting.reject(new AoError(decision.rejection));
    else waiting.resolve(decision?.result ?? {});
  });
}

function updateIntents(open: Map<string, OpenIntent>, plan: Plan): void {
  for (const id of [...plan.finished, ...plan.forgotten]) open.delete(id);
  for (const intent of plan.recorded) open.set(intent.id, intent);
  for (const id of plan.started) {
    const intent = open.get(id);
    if (intent !== undefined) open.set(id, { ...intent, status: "started" });
  }
}

function updateWakes(wakes: Map<StreamId, number>, plan: Plan): void {
  for (const [stream, at] of plan.wakes) {
    if (at === null) wakes.delete(stream);
    else wakes.set(stream, at);
  }
}
