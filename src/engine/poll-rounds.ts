import type { Clock } from "../ports/host.ts";

/** A timer can fire slightly early, and must not be scheduled for the same moment again. */
const EARLY_MS = 100;

/** Polls with the same pause happen at the same moments, so that a forge can answer them in one request. */
export interface PollRounds {
  /**
   * Calls `run` within `ms`, together with every poll of the same pause, but not before a given moment; returns a
   * cancel function.
   */
  join(pause: { readonly ms: number; readonly notBefore: number }, run: () => void): () => void;
}

/** Rounds counted from now: each daemon has its own moments, so they do not all poll at the full minute. */
export function createPollRounds(clock: Clock): PollRounds {
  const origin = clock.now();
  const rounds = new Map<number, Set<() => void>>();
  const begin = (at: number): void => {
    const members = rounds.get(at) ?? [];
    rounds.delete(at);
    for (const run of members) run();
  };
  return {
    join: ({ ms, notBefore }, run) => {
      const now = clock.now();
      const past = now - origin + EARLY_MS;
      const next = ms <= 0 ? now : origin + (Math.floor(past / ms) + 1) * ms;
      const at = Math.max(next, notBefore);
      const members = rounds.get(at) ?? new Set();
      if (!rounds.has(at)) {
        rounds.set(at, members);
        clock.after(at - now, () => begin(at));
      }
      members.add(run);
      return () => members.delete(run);
    },
  };
}
