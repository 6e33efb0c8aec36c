import type { CostsView, CostView } from "../../../../src/protocol/views/cost.ts";
import { formatTokens } from "../../lib/cost.ts";
import type { Figure } from "../../parts/figures.tsx";
import {
  amountOf,
  describeUnknown,
  formatAmount,
  formatTick,
  medianOf,
  type Range,
  type Unit,
} from "./cost-figures.ts";

interface Sums {
  readonly days: CostsView;
  /** null: not known yet. */
  readonly pullRequests: CostsView | null;
  readonly outcomes: CostsView | null;
  readonly today: string;
  readonly range: Range;
  readonly unit: Unit;
}

const NOTHING: CostView = {
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  costUsd: 0,
  estimatedUsd: 0,
  unpricedTokens: 0,
};
const RANGE_NAMES: Readonly<Record<Range, string>> = {
  "1d": "since midnight UTC",
  "7d": "in 7 days",
  "28d": "in 28 days",
  all: "since the beginning",
};

/** The figures at the top of the page. */
export function listFigures({ days, pullRequests, outcomes, today, range, unit }: Sums): readonly Figure[] {
  const { total } = days;
  const ofToday = days.data.find(({ key }) => key === today) ?? NOTHING;
  const unknown = describeUnknown(total);
  const amounts = pullRequests?.data.map((row) => amountOf(row, unit)) ?? [];
  const median = medianOf(amounts);
  return [
    ...(range === "1d" ? [] : [{ value: formatAmount(ofToday, unit), label: "today", context: "since midnight UTC" }]),
    {
      value: formatAmount(total, unit),
      label: RANGE_NAMES[range],
      context: unknown ?? `${formatTokens(total.outputTokens)} tokens out`,
    },
    {
      value:
        median === null
          ? "–"
          : formatTick(unit === "money" ? Math.round(median * 100) / 100 : Math.round(median), unit),
      label: "per pull request",
      context: amounts.length === 0 ? "no pull request yet" : `median of ${amounts.length}`,
    },
    ...listDiscarded(outcomes, unit),
    {
      value: formatTokens(total.inputTokens),
      label: "tokens in",
      context: total.inputTokens === 0 ? "none yet" : `${share(total.cachedTokens, total.inputTokens)} from cache`,
    },
  ];
}

/** The cost of unmerged work; empty if there is none. */
function listDiscarded(outcomes: CostsView | null, unit: Unit): readonly Figure[] {
  const discarded = outcomes?.data.find(({ key }) => key === "discarded");
  if (discarded === undefined) return [];
  const { sessions } = discarded;
  const context = `${sessions === 1 ? "1 session" : `${sessions} sessions`} stopped without a merge`;
  return [{ value: formatAmount(discarded, unit), label: "discarded", context }];
}

function share(part: number, whole: number): string {
  return `${Math.round((100 * part) / whole)}%`;
}
