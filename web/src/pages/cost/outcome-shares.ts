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
  /** Of everything whose cost is known, 0 to 1. */
  readonly share: number;
}

/** What part of the cost came to which end or had which reason, useful work first; what has no known cost is left out. */
export function outcomeShares(rows: readonly CostRowView[], unit: Unit): readonly OutcomeShare[] {
  const whole = rows.reduce((sum, row) => sum + (amountOf(row, unit) ?? 0), 0);
  return LABELS.flatMap(([key, label]) => {
    const row = rows.find((one) => one.key === key);
    const part = row === undefined ? 0 : (amountOf(row, unit) ?? 0);
    return row === undefined || part === 0 ? [] : [{ row, label, share: part / whole }];
  });
}
