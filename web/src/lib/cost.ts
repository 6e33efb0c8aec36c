import type { CostView } from "../../../src/protocol/views/cost.ts";

/** Has an agent reported anything yet? Many report nothing at all. */
export function isReported({ costUsd, inputTokens, outputTokens, unpricedTokens }: CostView): boolean {
  return costUsd !== 0 || inputTokens + outputTokens + unpricedTokens > 0;
}

/**
 * Money for people: `$0.25` reported, `~$1.32` partly estimated, `unknown`, `–` without a report. Never `$0.00` for a cost that nobody
 * knows.
 */
export function formatCost(cost: CostView): string {
  const { costUsd, estimatedUsd, unpricedTokens } = cost;
  if (!isReported(cost)) return "–";
  if (costUsd === null || (costUsd === 0 && unpricedTokens > 0)) return "unknown";
  const isPartial = estimatedUsd > 0 || unpricedTokens > 0;
  return `${isPartial ? "~" : ""}${formatUsd(costUsd)}`;
}

/** "$1.42"; a small amount is "< $0.01", not nothing. */
export function formatUsd(usd: number): string {
  if (usd > 0 && usd < 0.01) return "< $0.01";
  return `$${usd.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}

/** "8.1k", "1.2M". */
export function formatTokens(tokens: number): string {
  if (tokens < 1_000) return String(tokens);
  return tokens < 1_000_000 ? `${round(tokens / 1_000)}k` : `${round(tokens / 1_000_000)}M`;
}

function round(value: number): string {
  return value < 100 ? value.toFixed(1).replace(/\.0$/, "") : Math.round(value).toString();
}
