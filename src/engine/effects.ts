import { AoError, PluginError } from "../core/errors.ts";
import type { IntentKind, IntentOutcome } from "../core/intent.ts";
import { pause, pollUntil } from "../ports/poll.ts";
import type { OpenIntent } from "../ports/store.ts";
import type { Activity } from "./activity.ts";
import type { EffectDeps, Executor, Executors, Reconciled } from "./executor.ts";
import type { Faults } from "./fault.ts";
import { createLanes } from "./lanes.ts";
import type { Loop } from "./loop.ts";
import { repeat } from "./repeat.ts";

/** How long processes that a former daemon left running for an intent have to end by themselves. */
const ORPHAN_LIMIT_MS = 10_000;
/** Pause before retrying what could not be committed. */
const RETRY_MS = 500;

/** How often to look for effects that nothing started. */
const RESYNC_MS = 10_000;

/** How often processes of an unwanted intent are asked to end; from the second time on they are killed. */
const END_EVERY_MS = 1000;

export interface Effects {
  /**
   * Starts reconciling what was started before a crash, and starts effects as they are wanted; lanes keep them apart.
   */
  start(): void;
  /** Starts what can be started now. */
  poke(): void;
  /** Starts no more; resolves when the running ones are done. */
  drain(): Promise<void>;
}

export interface EffectParts {
  readonly loop: Loop;
  readonly executors: Executors;
  readonly deps: EffectDeps;
  readonly faults: Faults;
  readonly activity: Activity;
}

/**
 * Runs intents: in order within a lane, in parallel across lanes, each marked as started before its first byte leaves.
 * A started intent without a run in this daemon was interrupted by a crash; it is reconciled before anything else in
 * its lane.
 */
export function createEffects({ loop, executors, deps, faults, activity }: EffectParts): Effects {
  const { host } = deps;
  // The same session name may exist under another AO_HOME; its processes are not ours to await or end.
  const markOf = (intent: OpenIntent): string => `${intent.id}@${deps.homeMark}`;

  const waiting = (): readonly OpenIntent[] => {
    if (loop.trouble() !== null) return [];
    const open = [...loop.openIntents.values()];
    return [...open.filter(isStarted), ...open.filter((intent) => !isStarted(intent))];
  };

  const startAndRun = async (intent: OpenIntent): Promise<void> => {
    await loop.submit({ input: { type: "intent.starting", id: intent.id } });
    // An input that was decided first may have withdrawn it.
    const now = loop.openIntents.get(intent.id);
    if (now === undefined || !isStarted(now)) return;
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
        await pause(host.clock, RETRY_MS);
      }
    }
  };

  const reconcile = async (intent: OpenIntent): Promise<void> => {
    const answer = await findOut(intent).catch(
      (error: unknown) => ({ kind: "done", outcome: toFailure(error) }) as const,
    );
    host.log.info("reconciled an effect of a former daemon", { intent: intent.id, answer: answer.kind });
    if (answer.kind === "not-done" && isUnwanted(intent, deps)) return report(intent, STOPPED);
    if (answer.kind === "not-done") return run(intent);
    await report(intent, answer.kind === "done" ? answer.outcome : { kind: "unknown", reason: answer.reason });
  };

  const findOut = async (intent: OpenIntent): Promise<Reconciled> => {
    const executor = executors[intent.spec.kind] as unknown as Executor<IntentKind>;
    if (!executor.survivesDaemon) await awaitOrphans(markOf(intent));
    return executor.reconcile(intent.spec as never, markOf(intent), deps);
  };

  const awaitOrphans = async (mark: string): Promise<void> => {
    const deadline = host.clock.now() + ORPHAN_LIMIT_MS;
    await pollUntil(host.clock, { everyMs: 50, timeoutMs: Number.POSITIVE_INFINITY }, async () => {
      const orphans = await host.processes.findByIntent(mark);
      if (host.clock.now() > deadline) for (const orphan of orphans) host.processes.signal(orphan.pid, "SIGKILL");
      return orphans.length === 0;
    });
  };

  // A hanging hook or set-up command must not keep its session from stopping.
  const ending = new Set<string>();
  const endUnwanted = async (intent: OpenIntent): Promise<void> => {
    ending.add(intent.id);
    for (let signal: "SIGTERM" | "SIGKILL" = "SIGTERM"; loop.openIntents.has(intent.id); signal = "SIGKILL") {
      for (const { pid } of await host.processes.findByIntent(markOf(intent))) host.processes.signal(pid, signal);
      await pause(host.clock, END_EVERY_MS);
    }
    ending.delete(intent.id);
  };
  const findUnwanted = (): void => {
    for (const intent of loop.openIntents.values()) {
      if (!isStarted(intent) || ending.has(intent.id) || !isUnwanted(intent, deps)) continue;
      endUnwanted(intent).catch((error: unknown) =>
        host.log.warn("what works for a stopping session could not be ended", {
          intent: intent.id,
          reason: String(error),
        }),
      );
    }
  };

  // The intent is still open, so its lane would retry it at once.
  const pauseAfter =
    (intent: OpenIntent) =>
    async (error: unknown): Promise<void> => {
      host.log.error("an effect stopped short", { intent: intent.id, reason: String(error) });
      await pause(host.clock, RETRY_MS);
    };

  const ciRuns = (): number | undefined => loop.world.view.fleet().ciRuns;
  const lanes = createLanes<OpenIntent>(
    {
      waiting,
      laneOf: (intent) => intent.lane,
      kindOf: ({ spec }) => (isCheck(spec.kind) && ciRuns() !== undefined ? CHECKS : spec.kind),
      limitOf: (kind) => (kind === CHECKS ? (ciRuns() ?? 1) : executors[kind as IntentKind].concurrency),
      run: (intent) => (isStarted(intent) ? reconcile(intent) : startAndRun(intent)).catch(pauseAfter(intent)),
      onError: (intent, error) =>
        host.log.error("an effect could not be logged", { intent: intent.id, reason: String(error) }),
    },
    activity,
  );
  const poke = (): void => {
    findUnwanted();
    lanes.poke();
  };
  // Every commit starts what it wants. An effect that was missed nevertheless must not wait for the next commit.
  const resync = async (): Promise<void> => {
    const started = lanes.poke();
    if (started > 0) host.log.error("effects were waiting although they could start", { started });
  };
  let stopResync = (): void => undefined;
  return {
    start: () => {
      lanes.open();
      stopResync = repeat({ clock: host.clock, activity, pauseMs: RESYNC_MS, work: resync });
    },
    poke,
    drain: () => {
      stopResync();
      return lanes.drain();
    },
  };
}

/** What `limits.ciRuns` counts: checks of all kinds together. */
const CHECKS = "checks";

function isCheck(kind: IntentKind): boolean {
  return kind === "run-check" || kind === "check-commit";
}

const STOPPED: IntentOutcome = {
  kind: "failed",
  code: "session-state",
  message: "The session was stopped.",
  hint: null,
};

/** Is a workspace being created for a session that should stop? */
function isUnwanted({ spec }: OpenIntent, deps: EffectDeps): boolean {
  return spec.kind === "create-workspace" && deps.session(spec.sessionId)?.phase === "stopping";
}

function isStarted(intent: OpenIntent): boolean {
  return intent.status === "started";
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
