/** Tokens and US dollars. */
export interface CostView {
  /** All that went in, cached ones included. */
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  /** Reported by agents, and estimated where they report none; null: nothing of it is known. */
  readonly costUsd: number | null;
  /** How much of `costUsd` is an estimate. */
  readonly estimatedUsd: number;
  /** Tokens that `costUsd` leaves out, because nobody knows what they cost. */
  readonly unpricedTokens: number;
}

/** By what costs are summed up; a change is one that was merged. */
export type CostGrouping = "session" | "task" | "change" | "model" | "day";

export interface CostRowView extends CostView {
  /** A session, a task, pull requests, a model, or a day (UTC). */
  readonly key: string;
  readonly title: string | null;
  readonly sessions: number;
}

export interface CostsView {
  readonly by: CostGrouping;
  readonly since: string | null;
  readonly data: readonly CostRowView[];
  readonly total: CostView;
  /** Of the list prices that estimates come from. */
  readonly pricesDate: string;
}

export interface SessionCostView extends CostView {
  readonly sessionId: string;
  readonly since: string | null;
  readonly models: readonly CostRowView[];
  readonly days: readonly CostRowView[];
  readonly pricesDate: string;
}
