import { findPrice, type Price, type PriceLists } from "./prices.ts";
import { addTokens, NO_TOKENS, type SessionUsage, type Tokens, type UsagePart, upgradeUsage } from "./usage.ts";

/** The cost of something, as far as known. */
export interface Cost extends Tokens {
  /** US dollars, reported and estimated; null: nothing of it is known. */
  readonly costUsd: number | null;
  /** How much of `costUsd` is estimated from list prices. */
  readonly estimatedUsd: number;
  /** Tokens that are not in the sum: their cost was not reported, and no price is known. */
  readonly unpricedTokens: number;
}

/** A session's usage, in parts that can be summed with those of others. */
export function partsOf(session: { readonly usage: SessionUsage; readonly updatedAt: number }): readonly UsagePart[] {
  const { parts, paysApart } = upgradeUsage(session.usage, session.updatedAt);
  return paysApart ? parts.map((part) => ({ ...part, unpaid: NO_TOKENS })) : parts;
}

/** The combined cost of these parts. */
export function deriveCost(parts: readonly UsagePart[], prices: PriceLists): Cost {
  const tokens = parts.reduce<Tokens>(addTokens, NO_TOKENS);
  let [reportedUsd, estimatedUsd, unpricedTokens] = [0, 0, 0];
  for (const { model, costUsd, unpaid } of parts) {
    reportedUsd += costUsd;
    const left = unpaid.inputTokens + unpaid.outputTokens;
    const price = model === null || left === 0 ? null : findPrice(model, prices);
    if (price === null) unpricedTokens += left;
    else estimatedUsd += estimate(unpaid, price);
  }
  const knownUsd = reportedUsd + estimatedUsd;
  const costUsd = knownUsd === 0 && unpricedTokens > 0 ? null : knownUsd;
  return { ...tokens, costUsd, estimatedUsd, unpricedTokens };
}

function estimate({ inputTokens, cachedTokens, outputTokens }: Tokens, price: Price): number {
  const fresh = (inputTokens - cachedTokens) * price.input;
  return (fresh + cachedTokens * price.cachedInput + outputTokens * price.output) / 1_000_000;
}
