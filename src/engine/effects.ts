import type { IntentKind } from "../core/intent.ts";
import { pause } from "../ports/poll.ts";
import type { OpenIntent } from "../ports/store.ts";
import type { Activity } from "./activity.ts";
import { createUnwantedEnder } from "./end-unwanted.ts";
import { createLanes, type LaneRules } from "./lanes.ts";
import type { Loop } from "./loop.ts";
import { repeat } from "./repeat.ts";
import { type IntentParts, isStarted, RETRY_MS, reconcile, startAndRun } from "./run-intent.ts";

/** How often to look for effects that nothing started. */
const RESYNC_MS = 10_000;

/** What `limits.ciRuns` counts: checks of all kinds together. */
const CHECKS = "checks";

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

export interface EffectParts extends IntentParts {
  readonly activity: Activity;
}

/**
 * Runs intents: in order within a lane, in parallel across lanes, each marked as started before its first byte leaves.
 * A started intent without a run in this daemon was interrupted by a crash; it is reconciled before anything else in
 * its lane.
 */
export function createEffects(parts: EffectParts): Effects {
  const { activity } = parts;
  const { clock, log } = parts.deps.host;
  const lanes = createLanes<OpenIntent>(lanesOfIntents(parts), activity);
  const endUnwanted = createUnwantedEnder(parts);
  // Every commit starts what it wants. An effect that was missed nevertheless must not wait for the next commit.
  const resync = async (): Promise<void> => {
    const started = lanes.poke();
    if (started > 0) log.error("effects were waiting although they could start", { started });
  };
  let stopResync = (): void => undefined;
  return {
    start: () => {
      lanes.open();
      stopResync = repeat({ clock, activity, pauseMs: RESYNC_MS, work: resync });
    },
    poke: () => {
      endUnwanted();
      lanes.poke();
    },
    drain: () => {
      stopResync();
      return lanes.drain();
    },
  };
}

function lanesOfIntents(parts: IntentParts): LaneRules<OpenIntent> {
  const { loop, executors } = parts;
  const { clock, log } = parts.deps.host;
  const ciRuns = (): number | undefined => loop.world.view.fleet().ciRuns;
  const run = async (intent: OpenIntent): Promise<void> => {
    try {
      await (isStarted(intent) ? reconcile(parts, intent) : startAndRun(parts, intent));
    } catch (error) {
      log.error("an effect stopped short", { intent: intent.id, reason: String(error) });
      // The intent is still open, so its lane would retry it at once.
      await pause(clock, RETRY_MS);
    }
  };
  return {
    waiting: () => waitingIntents(loop),
    laneOf: (intent) => intent.lane,
    kindOf: ({ spec }) => (isCheck(spec.kind) && ciRuns() !== undefined ? CHECKS : spec.kind),
    limitOf: (kind) => (kind === CHECKS ? (ciRuns() ?? 1) : executors[kind as IntentKind].concurrency),
    run,
    onError: (intent, error) =>
      log.error("an effect could not be logged", { intent: intent.id, reason: String(error) }),
  };
}

function waitingIntents(loop: Loop): readonly OpenIntent[] {
  if (loop.trouble() !== null) return [];
  const open = [...loop.openIntents.values()];
  return [...open.filter(isStarted), ...open.filter((intent) => !isStarted(intent))];
}

function isCheck(kind: IntentKind): boolean {
  return kind === "run-check" || kind === "check-commit";
}
