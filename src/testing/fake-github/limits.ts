import type { World } from "./world.ts";

export type Resource = "core" | "graphql" | "search";

interface Budget {
  limit: number;
  used: number;
  resetAt: number;
}

export interface Limits {
  /** What is left of a token's budget. */
  remaining(token: string, resource: Resource): number;
  /** Leaves this many requests until the budget is renewed, in an hour or as given. */
  setRemaining(token: string, resource: Resource, left: { readonly remaining: number; readonly inMs?: number }): void;
  /** Takes one request from the budget; false: none left. */
  spend(token: string, resource: Resource): boolean;
  /** Charges a query's cost beyond its request. */
  charge(token: string, resource: Resource, points: number): void;
  /** Refunds one: a "not modified" answer costs nothing. */
  refund(token: string, resource: Resource): void;
  headers(token: string, resource: Resource): Readonly<Record<string, string>>;
}

const HOUR = 3_600_000;
const LIMITS: Readonly<Record<Resource, number>> = { core: 5000, graphql: 5000, search: 30 };

/** Hourly budgets per token, as GitHub counts them. */
export function createLimits(world: World): Limits {
  const budgets = new Map<string, Budget>();
  const budgetOf = (token: string, resource: Resource): Budget => {
    const key = `${resource} ${token}`;
    const known = budgets.get(key);
    if (known !== undefined && known.resetAt > world.now()) return known;
    const fresh = { limit: LIMITS[resource], used: 0, resetAt: world.now() + HOUR };
    budgets.set(key, fresh);
    return fresh;
  };
  return {
    remaining: (token, resource) => {
      const { limit, used } = budgetOf(token, resource);
      return limit - used;
    },
    setRemaining: (token, resource, { remaining, inMs = HOUR }) => {
      const budget = budgetOf(token, resource);
      budget.used = budget.limit - remaining;
      budget.resetAt = world.now() + inMs;
    },
    spend: (token, resource) => {
      const budget = budgetOf(token, resource);
      if (budget.used >= budget.limit) return false;
      budget.used += 1;
      return true;
    },
    charge: (token, resource, points) => {
      budgetOf(token, resource).used += points;
    },
    refund: (token, resource) => {
      budgetOf(token, resource).used -= 1;
    },
    headers: (token, resource) => {
      const { limit, used, resetAt } = budgetOf(token, resource);
      return {
        "x-ratelimit-limit": String(limit),
        "x-ratelimit-remaining": String(limit - used),
        "x-ratelimit-used": String(used),
        "x-ratelimit-reset": String(Math.ceil(resetAt / 1000)),
        "x-ratelimit-resource": resource,
      };
    },
  };
}
