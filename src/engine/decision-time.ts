import type { Clock } from "../ports/host.ts";

/** How often the clock is read while nothing happens, and how far it may advance in between on a machine that is awake. */
const BEAT_MS = 10_000;
const SLEEP_MS = 30_000;

/** The time of decisions: never before the last event, even if the clock was set back since. */
export interface DecisionTime {
  now(): number;
  /** No later decision is made before this time. */
  advanceTo(at: number): void;
  /** How long the machine slept; 0 if it did not. Each sleep is returned once. */
  takeSleep(): number;
  stop(): void;
}

export interface DecisionTimeOptions {
  readonly clock: Clock;
  /** When the last event of the log happened. */
  readonly lastAt: number;
  /** The machine slept, although nobody has asked yet. */
  readonly onSleep: () => void;
}

/**
 * Starts a heartbeat that notices sleep: timers stop while a machine sleeps, so if the clock is far ahead of the last
 * beat, the machine slept.
 */
export function createDecisionTime({ clock, lastAt, onSleep }: DecisionTimeOptions): DecisionTime {
  let latest = lastAt;
  // An event from the future, of a wrong clock, must not stop time until the clock has caught up: time continues from
  // there.
  let aheadMs = Math.max(0, lastAt - clock.now());
  let lastBeat = clock.now();
  let cancelBeat = (): void => undefined;
  const beat = (): void => {
    if (clock.now() - lastBeat <= SLEEP_MS) lastBeat = clock.now();
    else onSleep();
    cancelBeat = clock.after(BEAT_MS, beat);
  };
  beat();
  return {
    now: () => Math.max(clock.now() + aheadMs, latest),
    advanceTo: (at) => {
      latest = at;
    },
    takeSleep: () => {
      const sleptMs = clock.now() - lastBeat;
      if (sleptMs <= SLEEP_MS) return 0;
      lastBeat = clock.now();
      aheadMs = Math.max(0, aheadMs - sleptMs);
      return sleptMs;
    },
    stop: () => cancelBeat(),
  };
}
