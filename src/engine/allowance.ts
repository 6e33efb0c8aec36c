/** A rate limit: a burst at once, then once per interval. */
export interface Allowance {
  /** Milliseconds until the next one is allowed; 0: now. */
  waitMs(now: number): number;
  /** Uses one; false: none left. */
  take(now: number): boolean;
  /** Returns one that turned out not to count. */
  giveBack(): void;
}

export interface AllowanceLimits {
  readonly burst: number;
  /** A function if it depends on the load. */
  readonly intervalMs: number | (() => number);
}

/** A token bucket: full at first, refilled by one per interval. */
export function createAllowance({ burst, intervalMs }: AllowanceLimits): Allowance {
  const interval = typeof intervalMs === "number" ? () => intervalMs : intervalMs;
  let left = burst;
  let refilledAt: number | null = null;
  const refill = (now: number): void => {
    refilledAt ??= now;
    const every = interval();
    const earned = Math.max(0, Math.floor((now - refilledAt) / every));
    left = Math.min(burst, left + earned);
    refilledAt = left === burst ? now : refilledAt + earned * every;
  };
  return {
    waitMs: (now) => {
      refill(now);
      return left > 0 ? 0 : Math.max(1, (refilledAt ?? now) + interval() - now);
    },
    take: (now) => {
      refill(now);
      if (left === 0) return false;
      left -= 1;
      return true;
    },
    giveBack: () => {
      left = Math.min(burst, left + 1);
    },
  };
}
