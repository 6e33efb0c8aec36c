import { describe, expect, it } from "vitest";
import { formatCost, formatTokens } from "./cost.ts";

describe("a cost", () => {
  it.each([
    [{ costUsd: 0.25, estimatedUsd: 0, unpricedTokens: 0 }, "$0.25"],
    [{ costUsd: 1.316, estimatedUsd: 0.4, unpricedTokens: 0 }, "~$1.32"],
    [{ costUsd: 1, estimatedUsd: 0, unpricedTokens: 90 }, "~$1.00"],
    [{ costUsd: 0.004, estimatedUsd: 0, unpricedTokens: 0 }, "< $0.01"],
    [{ costUsd: 1234.5, estimatedUsd: 0, unpricedTokens: 0 }, "$1,234.50"],
    [{ costUsd: null, estimatedUsd: 0, unpricedTokens: 0 }, "unknown"],
    [{ costUsd: 0, estimatedUsd: 0, unpricedTokens: 90 }, "unknown"],
    [{ costUsd: 0, estimatedUsd: 0, unpricedTokens: 0 }, "–"],
    [{ costUsd: 0, estimatedUsd: 0, unpricedTokens: 0, inputTokens: 9 }, "$0.00"],
  ])("%o reads %s", (cost, text) =>
    expect(formatCost({ inputTokens: 0, cachedTokens: 0, outputTokens: 0, ...cost })).toBe(text),
  );
});

it.each([
  [950, "950"],
  [8_100, "8.1k"],
  [9_000, "9k"],
  [250_400, "250k"],
  [1_240_000, "1.2M"],
])("%d tokens read %s", (tokens, text) => expect(formatTokens(tokens)).toBe(text));
