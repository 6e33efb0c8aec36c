import type { Cost } from "./cost.ts";

/** Money in a few characters: `$1.20` was reported, `~$1.20` is at least partly estimated, `unknown` is not zero. */
export function formatMoney({
  costUsd,
  estimatedUsd,
  unpricedTokens,
}: Pick<Cost, "costUsd" | "estimatedUsd" | "unpricedTokens">): string {
  if (costUsd === null) return "unknown";
  const digits = costUsd > 0 && costUsd < 0.01 ? 4 : 2;
  const known = `${estimatedUsd > 0 ? "~" : ""}$${costUsd.toFixed(digits)}`;
  return unpricedTokens > 0 ? `${known} + unknown` : known;
}

/** Tokens and money on one line; null: nothing was used. */
export function describeCost(cost: Cost): string | null {
  const { inputTokens, cachedTokens, outputTokens } = cost;
  if (inputTokens + outputTokens === 0 && cost.costUsd === 0) return null;
  const cached = cachedTokens === 0 ? "" : ` (${cachedTokens} cached)`;
  return `${inputTokens} tokens in${cached}, ${outputTokens} out, ${formatMoney(cost)}`;
}
