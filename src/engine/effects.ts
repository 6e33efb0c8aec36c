import { AoError, PluginError } from "../core/errors.ts";
import type { IntentKind, IntentOutcome } from "../core/intent.ts";
import type { OpenIntent } from "../ports/store.ts";
import type { EffectDeps, Executor, Executors } from "./executor.ts";
import type { Faults } from "./fault.ts";
import type { Loop } from "./loop.ts";

/** What a former daemon left running for an intent gets this long to end by itself. */
const ORPHAN_LIMIT_MS = 10_000;
/** Pause before an outcome that could not be committed is submitted again. */
const RETRY_MS = 500;

export interface Effects {
  /** Begins to reconcile what was started before a crash, and starts effects as they are wanted; lanes keep them apart. */
  start(): void;
  /** Starts what can be started now. */
  poke(): void;
  isQuiet(): boolean;
  /** Starts no more; resolves when what runs is done. */
  drain(): Promise<void>;
}

/** Runs intents: in order within a lane, side by side across lanes, each marked started before its first byte leaves. */
export function createEffects(loop: Loop, executors: Executors, deps: EffectDeps, faults: Faults): Effects {
  const busyLanes = new Set<string>();
  const running = new Map<IntentKind, number>();
  let active = 0;
  let accepting = false;
  const idleWaiters: (() => void)[] = [];
  const { host } = deps;
  // The same session name may exist under another AO_HOME; its processes are not ours to await or end.
  const markOf = (intent: OpenIntent): string => `${intent.id}@${deps.homeMark}`;

  const poke = (): void => {
    if (!accepting || loop.trouble() !== null) return;
    for (const intent of loop.openIntents.values()) {
      if (intent.status !== "pending" || busyLanes.has(intent.lane)) continue;
      if ((running.get(intent.spec.kind) ?? 0) >= executors[intent.spec.kind].concurrency) continue;
      void occupy(intent, () => startAndRun(intent));
    }
  };

  const occupy = async (intent: OpenIntent, work: () => Promise<void>): Promise<void> => {
    const kind = intent.spec.kind;
    busyLanes.add(intent.lane);
    running.set(kind, (running.get(kind) ?? 0) + 1);
    active += 1;
    try {
      await work();
    } catch (error) {
      host.log.error("an effect stopped short", { intent: intent.id, reason: String(error) });
    } finally {
      busyLanes.delete(intent.lane);
      running.set(kind, (running.get(kind) ?? 1) - 1);
      active -= 1;
      if (active === 0) for (const resolve of idleWaiters.splice(0)) resolve();
      poke();
    }
  };

  const startAndRun = async (intent: OpenIntent): Promise<void> => {
    await loop.submit({ input: { type: "intent.starting", id: intent.id } });
    // It may have been withdrawn by an input that was decided first.
    if (loop.openIntents.get(intent.id)?.status !== "started") return;
    faults("start:after", intent.spec.kind);
    await run(intent);
  };

  const run = async (intent: OpenIntent): Promise<void> => {
    const outcome = await perform(intent, async (executor) => {
      faults("execute:before", intent.spec.kind);
      const result = await executor.execute(intent.spec as never, markOf(intent), deps);
      faults("execute:after", intent.spec.kind);
      return result;
    });
    await report(intent, outcome);
  };

  const perform = (
    intent: OpenIntent,
    work: (executor: Executor<IntentKind>) => Promise<IntentOutcome>,
  ): Promise<IntentOutcome> => {
    const executor = executors[intent.spec.kind] as unknown as Executor<IntentKind>;
    return host.withIntent(markOf(intent), () => work(executor)).catch((error: unknown) => toFailure(error));
  };

  // An effect that happened must not be forgotten because the disk was full for a while.
  const report = async (intent: OpenIntent, outcome: IntentOutcome): Promise<void> => {
    for (;;) {
      try {
        await loop.submit({ input: { type: "intent.outcome", id: intent.id, outcome } });
        faults("outcome:after", intent.spec.kind);
        return;
      } catch (error) {
        if (error instanceof AoError && error.code === "daemon-unreachable") return;
        await new Promise<void>((resolve) => host.clock.after(RETRY_MS, resolve));
      }
    }
  };

  const reconcile = async (intent: OpenIntent): Promise<void> => {
    const executor = executors[intent.spec.kind] as unknown as Executor<IntentKind>;
    if (!executor.survivesDaemon) await awaitOrphans(markOf(intent));
    const answer = await executor
      .reconcile(intent.spec as never, markOf(intent), deps)
      .catch((error: unknown) => ({ kind: "done", outcome: toFailure(error) }) as const);
    host.log.info("reconciled an effect of a former daemon", { intent: intent.id, answer: answer.kind });
    if (answer.kind === "not-done") return run(intent);
    await report(intent, answer.kind === "done" ? answer.outcome : { kind: "unknown", reason: answer.reason });
  };

  const awaitOrphans = async (mark: string): Promise<void> => {
    const deadline = host.clock.now() + ORPHAN_LIMIT_MS;
    for (;;) {
      const orphans = await host.processes.findByIntent(mark);
      if (orphans.length === 0) return;
      if (host.clock.now() > deadline) for (const orphan of orphans) host.processes.signal(orphan.pid, "SIGKILL");
      await new Promise<void>((resolve) => host.clock.after(50, resolve));
    }
  };

  return {
    start: () => {
      const left = [...loop.openIntents.values()].filter((intent) => intent.status === "started");
      accepting = true;
      for (const intent of left) void occupy(intent, () => reconcile(intent));
      poke();
    },
    poke,
    isQuiet: () =>
      active === 0 && ![...loop.openIntents.values()].some((intent) => intent.status === "pending" && accepting),
    drain: async () => {
      accepting = false;
      if (active > 0) await new Promise<void>((resolve) => idleWaiters.push(resolve));
    },
  };
}

function toFailure(error: unknown): IntentOutcome {
  if (error instanceof PluginError && error.category === "unknown-outcome") {
    return { kind: "unknown", reason: error.message };
  }
  if (error instanceof AoError)
    return { kind: "failed", code: error.code, message: error.message, hint: error.hint ?? null };
  return {
    kind: "failed",
    code: "internal",
    message: error instanceof Error ? error.message : String(error),
    hint: null,
  };
}
