import { describe, expect, it } from "vitest";
import { deriveCost, partsOf } from "./cost.ts";
import { LIST_PRICES } from "./list-prices.ts";
import { findPrice, type Prices } from "./prices.ts";
import { addUsage, NO_USAGE, type SessionUsage, type UsedReport } from "./usage.ts";

const OWN: Prices = {
  "house-model": { input: 1, cachedInput: 0.1, output: 10 },
  "gpt-5-codex": { input: 9, cachedInput: 9, output: 9 },
};
const PRICES = { own: OWN, listed: LIST_PRICES };
const CALL = { inputTokens: 1_000_000, cachedTokens: 500_000, outputTokens: 100_000, costUsd: 0 };

function costOf(...reports: readonly UsedReport[]) {
  const usage = reports.reduce((sum, report) => addUsage(sum, report, 0), NO_USAGE);
  return deriveCost(partsOf({ usage, updatedAt: 0 }), PRICES);
}

describe("the price of a model", () => {
  it.each([
    ["gpt-5", 1.25],
    ["gpt-5-2025-08-07", 1.25],
    ["openai/gpt-5(high)", 1.25],
    ["GPT-5-mini", 0.25],
    ["gpt-5-codex", 9],
    ["gpt-5.9", undefined],
    ["gpt-50", undefined],
    ["claude-opus-4-8[1m]", 5],
    ["claude-opus-4-1-20250805", 15],
    ["vendor/house-model-2", 1],
    ["house-modelling", undefined],
    ["", undefined],
  ])("%s costs %s per million tokens", (model, input) => {
    expect(findPrice(model, PRICES)?.input).toBe(input);
  });
});

describe("the cost", () => {
  it("is what the agent reported", () => {
    expect(costOf({ ...CALL, costUsd: 3, model: "house-model" })).toEqual({
      ...{ inputTokens: 1_000_000, cachedTokens: 500_000, outputTokens: 100_000 },
      ...{ costUsd: 3, estimatedUsd: 0, unpricedTokens: 0 },
    });
  });

  it("is estimated from list prices if nothing was reported", () => {
    const cost = costOf({ ...CALL, model: "house-model" });
    expect(cost.costUsd).toBeCloseTo(0.5 + 0.05 + 1);
    expect(cost.estimatedUsd).toBe(cost.costUsd);
  });

  it("is estimated only for the unreported part", () => {
    const cost = costOf({ ...CALL, costUsd: 3, model: "house-model" }, { ...CALL, model: "house-model" });
    expect([cost.costUsd, cost.estimatedUsd].map((usd) => usd?.toFixed(2))).toEqual(["4.55", "1.55"]);
  });

  it("is unknown, which is not zero, without a report and a price", () => {
    expect(costOf({ ...CALL, model: "nobody-knows" })).toMatchObject({ costUsd: null, unpricedTokens: 1_100_000 });
    expect(costOf(CALL)).toMatchObject({ costUsd: null, unpricedTokens: 1_100_000 });
    const partly = costOf({ ...CALL, model: "nobody-knows" }, { ...CALL, costUsd: 2, model: "house-model" });
    expect(partly).toMatchObject({ costUsd: 2, unpricedTokens: 1_100_000 });
  });

  it("is zero if nothing was used", () => {
    expect(costOf()).toMatchObject({ costUsd: 0, estimatedUsd: 0, unpricedTokens: 0 });
  });

  it("is not estimated if the agent reports money separately", () => {
    const money = { inputTokens: 0, outputTokens: 0, costUsd: 2 };
    expect(costOf({ ...CALL, model: "house-model" }, money)).toMatchObject({ costUsd: 2, estimatedUsd: 0 });
  });

  it("is derived from a state that has only sums", () => {
    const usage = { inputTokens: 10, outputTokens: 5, costUsd: 0.5 } as SessionUsage;
    const cost = deriveCost(partsOf({ usage, updatedAt: 0 }), PRICES);
    expect(cost).toMatchObject({ inputTokens: 10, cachedTokens: 0, costUsd: 0.5, unpricedTokens: 0 });
  });
});
