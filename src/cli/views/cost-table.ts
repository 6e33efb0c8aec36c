import { formatMoney } from "../../core/cost/format.ts";
import type { CostGrouping, CostRowView, CostView } from "../../protocol/views/cost.ts";
import type { Style } from "./style.ts";
import { renderTable } from "./table.ts";

export interface CostTable {
  readonly by: CostGrouping;
  readonly rows: readonly CostRowView[];
  readonly total: CostView;
}

const HEADS: Readonly<Record<CostGrouping, string>> = {
  session: "SESSION",
  task: "TASK",
  "pull-request": "MERGED",
  outcome: "OUTCOME",
  reason: "REASON",
  model: "MODEL",
  day: "DAY",
};

/** Costs as a table with their sum; numbers are right-aligned. */
export function renderCosts(
  { by, rows, total }: CostTable,
  options: { readonly style: Style; readonly columns?: number | undefined },
): readonly string[] {
  const { style } = options;
  const hasTitles = by === "session" || by === "task" || by === "pull-request";
  const last = (row: CostRowView): string => (hasTitles ? (row.title ?? "") : String(row.sessions));
  const table = [
    [HEADS[by], "IN", "CACHED", "OUT", "COST", hasTitles ? "TITLE" : "SESSIONS"],
    ...rows.map((row) => [row.key, ...figuresOf(row), last(row)]),
    ["total", ...figuresOf(total), ""],
  ];
  return renderTable(table, {
    columns: options.columns,
    right: [1, 2, 3, 4],
    paint: (text, row) => (row === 0 ? style.dim(text) : row === table.length - 1 ? style.bold(text) : text),
  });
}

/** Explains `~` and `unknown`, if they occur. */
export function explainCosts(total: CostView, pricesDate: string): readonly string[] {
  const estimate = `~ is estimated from list prices of ${pricesDate}; \`prices\` in the configuration sets your own`;
  const unknown = `unknown: ${count(total.unpricedTokens)} tokens with no reported cost and no known price; set one under \`prices\``;
  return [...(total.estimatedUsd > 0 ? [estimate] : []), ...(total.unpricedTokens > 0 ? [unknown] : [])];
}

function figuresOf(cost: CostView): readonly string[] {
  return [count(cost.inputTokens), count(cost.cachedTokens), count(cost.outputTokens), formatMoney(cost)];
}

function count(tokens: number): string {
  return tokens.toLocaleString("en-US");
}
