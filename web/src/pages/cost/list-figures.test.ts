import { expect, it } from "vitest";
import type { CostsView, CostView } from "../../../../src/protocol/views/cost.ts";
import { listFigures } from "./list-figures.ts";

const COST: CostView = {
  inputTokens: 8_000,
  cachedTokens: 2_000,
  outputTokens: 500,
  costUsd: 3,
  estimatedUsd: 0,
  unpricedTokens: 0,
};

function costs(by: CostsView["by"], ...rows: readonly Partial<CostView & { key: string }>[]): CostsView {
  const data = rows.map((row, index) => ({ ...COST, key: String(index), title: null, sessions: 1, ...row }));
  return { by, since: null, data, total: COST, pricesDate: "2026-08-01" };
}

it("today, the whole range, the median pull request, discarded work and the share of cached tokens are at the top", () => {
  const figures = listFigures({
    days: costs("day", { key: "2026-11-16", costUsd: 1.5 }),
    pullRequests: costs("pull-request", { costUsd: 1 }, { costUsd: 2 }, { costUsd: null }),
    outcomes: costs("outcome", { key: "merged", costUsd: 2.6 }, { key: "discarded", costUsd: 0.4 }),
    today: "2026-11-16",
    range: "28d",
    unit: "money",
  });
  expect(figures.map(({ value, label, context }) => `${value} ${label}, ${context}`)).toEqual([
    "$1.50 today, since midnight UTC",
    "$3.00 in 28 days, 500 tokens out",
    "$1.50 per pull request, median of 3",
    "$0.40 discarded, 1 session stopped without a merge",
    "8k tokens in, 25% from cache",
  ]);
});

it("an unknown cost is reported, and a missing value is not zero", () => {
  const days = { ...costs("day"), total: { ...COST, costUsd: null, unpricedTokens: 8_100 } };
  const figures = listFigures({
    days,
    pullRequests: null,
    outcomes: null,
    today: "2026-11-16",
    range: "1d",
    unit: "money",
  });
  expect(figures.map(({ value, context }) => [value, context])).toEqual([
    ["unknown", "8.1k tokens have no known price"],
    ["–", "no pull request yet"],
    ["8k", "25% from cache"],
  ]);
});
