/** What a running check does: it prepares its checkout, or runs its command. */
export type CheckPhase = "set-up" | "run";

/** One attempt of a check on a commit of a change. */
export interface CheckAttempt {
  readonly changeKey: string;
  readonly check: string;
  readonly head: string;
  readonly attempt: number;
}

/**
 * The progress of a running check. Observed while it runs, never stored: the run's files show it again after a restart.
 */
export interface CheckProgress {
  /** null: unknown yet. */
  readonly phase: CheckPhase | null;
  /** Since it was started. */
  readonly elapsedMs: number;
}

/** `set-up, 40 s`; empty if there is nothing to show. In coarse steps, so that it rarely changes. */
export function describeProgress({ phase, elapsedMs }: CheckProgress): string {
  const step = elapsedMs < 60_000 ? 10_000 : 60_000;
  const elapsed = Math.floor(elapsedMs / step) * step;
  const time = elapsed === 0 ? "" : elapsed < 60_000 ? `${elapsed / 1000} s` : `${elapsed / 60_000} min`;
  return [phase === "set-up" ? "set-up" : "", time].filter((part) => part !== "").join(", ");
}

/** An exact duration for people: `40 s`, `2 min 5 s`, `1 h 3 min`. */
export function describeElapsed(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
