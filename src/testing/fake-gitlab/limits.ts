export interface Limits {
  /** Leaves this many requests until the minute is over, or for the given time. */
  setRemaining(token: string, left: { readonly remaining: number; readonly inMs?: number }): void;
  /** Takes one request; false: none left. */
  spend(token: string): boolean;
  headers(token: string): Readonly<Record<string, string>>;
  retry(token: string): Readonly<Record<string, string>>;
}

const MINUTE = 60_000;
/** gitlab.com's limit per user. */
const LIMIT = 2000;

/** Requests per minute and token, as GitLab counts them: including "not modified" answers. */
export function createLimits(now: () => number): Limits {
  const windows = new Map<string, { used: number; resetAt: number }>();
  const windowOf = (token: string): { used: number; resetAt: number } => {
    const known = windows.get(token);
    if (known !== undefined && known.resetAt > now()) return known;
    const fresh = { used: 0, resetAt: now() + MINUTE };
    windows.set(token, fresh);
    return fresh;
  };
  return {
    setRemaining: (token, { remaining, inMs = MINUTE }) => {
      windows.set(token, { used: LIMIT - remaining, resetAt: now() + inMs });
    },
    spend: (token) => {
      const window = windowOf(token);
      if (window.used >= LIMIT) return false;
      window.used += 1;
      return true;
    },
    headers: (token) => {
      const { used, resetAt } = windowOf(token);
      return {
        "ratelimit-limit": String(LIMIT),
        "ratelimit-observed": String(used),
        "ratelimit-remaining": String(LIMIT - used),
        "ratelimit-reset": String(Math.ceil(resetAt / 1000)),
        "ratelimit-name": "throttle_authenticated_api",
      };
    },
    retry: (token) => ({ "retry-after": String(Math.ceil((windowOf(token).resetAt - now()) / 1000)) }),
  };
}
