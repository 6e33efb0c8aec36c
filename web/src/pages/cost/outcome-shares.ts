import type { CostRowView } from "../../../../src/protocol/views/cost.ts";
import { amountOf, type Unit } from "./cost-figures.ts";

const LABELS: readonly (readonly [key: string, label: string])[] = [
  ["merged", "merged"],
  ["in-progress", "in progress"],
  ["discarded", "discarded"],
  ["work", "work"],
  ["review", "reviews"],
  ["fixes", "failed checks and conflicts"],
];

export interface OutcomeShare {
  readonly row: CostRowView;
  readonly label: string;
  /** The share of all known costs, 0 to 1. */
  readonly share: number;
}

/** The cost share of each outcome or reason, useful work first; omits unknown costs. */
export function outcomeShares(rows: readonly CostRowView[], unit: Unit): readonly OutcomeShare[] {
  const whole = rows.reduce((sum, row) => sum + (amountOf(row, unit) ?? 0), 0);
  return LABELS.flatMap(([key, label]) => {
    const row = rows.find((one) => one.key === key);
    const part = row === undefined ? 0 : (amountOf(row, unit) ?? 0);
    return row === undefined || part === 0 ? [] : [{ row, label, share: part / whole }];
  });
}
