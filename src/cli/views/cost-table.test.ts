import { expect, it } from "vitest";
import type { CostRowView, CostView } from "../../protocol/views/cost.ts";
import { explainCosts, renderCosts } from "./cost-table.ts";
import { style } from "./style.ts";

const plain = style({});

function aCost(changes: Partial<CostView> = {}): CostView {
  const tokens = { inputTokens: 1200, cachedTokens: 200, outputTokens: 50 };
  return { ...tokens, costUsd: 0.5, estimatedUsd: 0, unpricedTokens: 0, ...changes };
}

function aRow(key: string, changes: Partial<CostRowView> = {}): CostRowView {
  return { key, title: `Fix ${key}`, sessions: 1, ...aCost(changes) };
}

it("is a table with a sum and right-aligned numbers", () => {
  const rows = [
    aRow("app-1", { inputTokens: 2_400_000, costUsd: 12.5 }),
    aRow("app-2", { estimatedUsd: 0.5 }),
    aRow("app-3", { costUsd: null, unpricedTokens: 1250 }),
    aRow("app-4", { costUsd: 0.0042, unpricedTokens: 10 }),
  ];
  const total = aCost({ inputTokens: 2_403_600, costUsd: 13, estimatedUsd: 0.5, unpricedTokens: 1260 });
  expect(renderCosts({ by: "session", rows, total }, { style: plain })).toEqual([
    "SESSION         IN  CACHED  OUT               COST  TITLE",
    "app-1    2,400,000     200   50             $12.50  Fix app-1",
    "app-2        1,200     200   50             ~$0.50  Fix app-2",
    "app-3        1,200     200   50            unknown  Fix app-3",
    "app-4        1,200     200   50  $0.0042 + unknown  Fix app-4",
    "total    2,403,600     200   50  ~$13.00 + unknown",
  ]);
  expect(explainCosts(total, "2026-10-10")).toEqual([
    "~ is estimated from list prices of 2026-10-10; `prices` in the configuration sets your own",
    "unknown: 1,260 tokens with no reported cost and no known price; set one under `prices`",
  ]);
});

it("shows how many sessions used a model or a day", () => {
  const rows = [aRow("gpt-5", { title: null, sessions: 3 })];
  expect(renderCosts({ by: "model", rows, total: aCost() }, { style: plain })).toEqual([
    "MODEL     IN  CACHED  OUT   COST  SESSIONS",
    "gpt-5  1,200     200   50  $0.50  3",
    "total  1,200     200   50  $0.50",
  ]);
  expect(explainCosts(aCost(), "2026-10-10")).toEqual([]);
});
