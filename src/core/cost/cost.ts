import { findPrice, type Price, type PriceLists } from "./prices.ts";
import { addTokens, NO_TOKENS, type SessionUsage, type Tokens, type UsagePart, upgradeUsage } from "./usage.ts";

/** What something cost, as far as anybody knows. */
export interface Cost extends Tokens {
  /** US dollars, reported and estimated; null: nothing of it is known. */
  readonly costUsd: number | null;
  /** How much of `costUsd` is an estimate by list prices. */
  readonly estimatedUsd: number;
  /** Tokens that are in no sum of money: nobody reported what they cost, and no price is known. */
  readonly unpricedTokens: number;
}

/** What a session used, in parts that can be summed up with those of others. */
export function partsOf(session: { readonly usage: SessionUsage; readonly updatedAt: number }): readonly UsagePart[] {
  const { parts, paysApart } = upgradeUsage(session.usage, session.updatedAt);
  return paysApart ? parts.map((part) => ({ ...part, unpaid: NO_TOKENS })) : parts;
}

/** What these parts cost together. */
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
