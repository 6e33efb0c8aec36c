import type { CostRowView, CostView } from "../../../../src/protocol/views/cost.ts";
import { formatCost, formatTokens, formatUsd } from "../../lib/cost.ts";

/** The time range of the page; the first is the default. */
export const RANGES = ["28d", "1d", "7d", "all"] as const;
export type Range = (typeof RANGES)[number];
export const UNITS = ["money", "tokens"] as const;
export type Unit = (typeof UNITS)[number];

const DAY_MS = 24 * 60 * 60_000;
const DAYS: Readonly<Record<Range, number | null>> = { "1d": 1, "7d": 7, "28d": 28, all: null };

/** The first day (UTC) of a range that ends today; null: no start. */
export function firstDay(range: Range, now: number): string | null {
  const days = DAYS[range];
  return days === null ? null : dayOf(now - (days - 1) * DAY_MS);
}

export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** A day of the chart; null: unknown cost. */
export interface Day {
  readonly day: string;
  readonly value: number | null;
  readonly row: CostRowView | null;
}

interface DayScope {
  readonly unit: Unit;
  readonly range: Range;
  readonly now: number;
}

/** One entry per day from the first to today, including days without cost. */
export function fillDays(rows: readonly CostRowView[], { unit, range, now }: DayScope): readonly Day[] {
  const byDay = new Map(rows.map((row) => [row.key, row]));
  const first = firstDay(range, now) ?? [...byDay.keys()].sort()[0] ?? dayOf(now);
  const days: Day[] = [];
  for (let at = Date.parse(first); dayOf(at) <= dayOf(now); at += DAY_MS) {
    const row = byDay.get(dayOf(at)) ?? null;
    days.push({ day: dayOf(at), value: row === null ? 0 : amountOf(row, unit), row });
  }
  return days;
}

/** A sum in the chosen unit; null: unknown. */
export function amountOf(cost: CostView, unit: Unit): number | null {
  if (unit === "tokens") return cost.inputTokens + cost.outputTokens;
  return cost.costUsd === 0 && cost.unpricedTokens > 0 ? null : cost.costUsd;
}

export function formatAmount(cost: CostView, unit: Unit): string {
  return unit === "money" ? formatCost(cost) : formatTokens(cost.inputTokens + cost.outputTokens);
}

/** A value of the axis. */
export function formatTick(value: number, unit: Unit): string {
  if (unit === "tokens") return formatTokens(value);
  return Number.isInteger(value) ? `$${value}` : formatUsd(value);
}

/** The median of the known values; null: none. */
export function medianOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null).sort((a, b) => a - b);
  const [low, high] = [known[Math.floor((known.length - 1) / 2)], known[Math.floor(known.length / 2)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

/** Rows by cost, most first; unknown ones last. */
export function byAmount(rows: readonly CostRowView[], unit: Unit): readonly CostRowView[] {
  return [...rows].sort((a, b) => (amountOf(b, unit) ?? -1) - (amountOf(a, unit) ?? -1));
}

/** What a sum omits; null: nothing. */
export function describeUnknown({ unpricedTokens }: CostView): string | null {
  return unpricedTokens === 0 ? null : `${formatTokens(unpricedTokens)} tokens have no known price`;
}
