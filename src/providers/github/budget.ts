import { PluginError } from "../../core/errors.ts";
import type { Clock, Host } from "../../ports/host.ts";

/** The share of each hour's requests that background work leaves for people. */
const RESERVE = 0.1;

interface Window {
  readonly limit: number;
  readonly remaining: number;
  /** By the clock of this machine. */
  readonly resetsAt: number;
}

export interface Budget {
  /**
   * Rejects a request that exceeds the budget: background work stops at the reserve, a person's request only at zero.
   */
  require(request: { readonly resource: string; readonly isBackground: boolean }): void;
  /** GitHub asked for a pause: nothing is sent until it is over. */
  holdOff(ms: number): void;
  /** Updates the budget from the headers of an answer. */
  note(headers: Readonly<Record<string, string>>): void;
  /** The known windows, by resource: `core`, `graphql`. */
  view(): ReadonlyMap<string, Window>;
}

/** What all clients of one GitHub share. */
interface Shared {
  readonly budgets: Map<string, Budget>;
  /** The pause that it asked for, which is about the pace of this machine. */
  readonly pause: Pause;
}

interface Pause {
  until: number;
}

const shared = new WeakMap<Host, Map<string, Shared>>();

/**
 * The budget that projects of a daemon share for the same GitHub: all of them with a token, those of one `account` with an
 * App, because GitHub counts the requests of each installation separately.
 */
export function budgetOf(host: Host, githubHost: string, account: string): Budget {
  const ofHost = shared.get(host) ?? new Map<string, Shared>();
  shared.set(host, ofHost);
  const there = ofHost.get(githubHost) ?? { budgets: new Map(), pause: { until: Number.NEGATIVE_INFINITY } };
  ofHost.set(githubHost, there);
  const known = there.budgets.get(account) ?? createBudget(host.clock, githubHost, there.pause);
  there.budgets.set(account, known);
  return known;
}

function createBudget(clock: Clock, githubHost: string, pause: Pause): Budget {
  const windows = new Map<string, Window>();
  return {
    view: () => windows,
    holdOff: (ms) => {
      pause.until = Math.max(pause.until, clock.now() + ms);
    },
    require: ({ resource, isBackground }) => {
      if (clock.now() < pause.until) throw slowDown(githubHost, pause.until - clock.now());
      const window = windows.get(resource);
      if (window === undefined || window.resetsAt <= clock.now()) return;
      if (window.remaining > (isBackground ? Math.ceil(window.limit * RESERVE) : 0)) return;
      throw new PluginError({
        plugin: "github",
        category: "rate-limited",
        message: `The rate limit of ${githubHost} is used up (${window.remaining} of ${window.limit} requests left).`,
        hint: `It is renewed at ${new Date(window.resetsAt).toISOString()}; ao continues then.`,
        retryAfterMs: window.resetsAt - clock.now(),
      });
    },
    note: (headers) => {
      const limit = Number(headers["x-ratelimit-limit"]);
      const remaining = Number(headers["x-ratelimit-remaining"]);
      const reset = Number(headers["x-ratelimit-reset"]) * 1000;
      if (!Number.isFinite(limit + remaining + reset)) return;
      const resetsAt = clock.now() + Math.max(0, reset - serverTime(headers, clock));
      windows.set(headers["x-ratelimit-resource"] ?? "core", { limit, remaining, resetsAt });
    },
  };
}

function slowDown(githubHost: string, retryAfterMs: number): PluginError {
  const message = `${githubHost} asks ao to slow down.`;
  const hint = `ao continues in ${Math.ceil(retryAfterMs / 1000)} s.`;
  return new PluginError({ plugin: "github", category: "rate-limited", message, hint, retryAfterMs });
}

/** The server's time, which its timestamps use; our clock may be wrong. */
export function serverTime(headers: Readonly<Record<string, string>>, clock: Clock): number {
  const date = Date.parse(headers["date"] ?? "");
  return Number.isNaN(date) ? clock.now() : date;
}
