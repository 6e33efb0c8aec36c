import type { ChangeState } from "../change/state.ts";

/**
 * How soon a requested merge may use the train; a lower number goes first, and among equals the order of the train
 * decides. One that has to wait for something lets the others pass, whatever it waits for.
 */
export const TURN = {
  /** A person overrides the rules: nothing but a merge that has begun is more urgent. */
  override: 0,
  /** Nothing is known to hold it. */
  ready: 1,
  /** It was held, and is due to be tried again. */
  retry: 2,
  /** Held until a time. */
  waiting: 3,
} as const;

/** With many others it would never be retried otherwise. */
const MAX_PASSED_MS = 10 * 60_000;

/** The turn of a requested merge. */
export function turnOf({ mergeRequest }: ChangeState, now: number): number {
  if (mergeRequest === null) return TURN.waiting;
  const { reason, notBefore, isPlanned = false, override } = mergeRequest;
  if (notBefore > now) return TURN.waiting;
  if (reason !== null && !isPlanned && now < notBefore + MAX_PASSED_MS) return TURN.retry;
  return override === undefined ? TURN.ready : TURN.override;
}
