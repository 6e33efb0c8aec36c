import { expect, it } from "vitest";
import type { CostRowView } from "../../../../src/protocol/views/cost.ts";
import { outcomeShares } from "./outcome-shares.ts";

function row(key: string, costUsd: number | null): CostRowView {
  const tokens = { inputTokens: 100, cachedTokens: 0, outputTokens: 0, unpricedTokens: 0 };
  return { ...tokens, key, costUsd, estimatedUsd: 0, title: null, sessions: 1 };
}

it("the outcome shares start with merged work, and omit unknown costs", () => {
  const shares = outcomeShares([row("discarded", 1), row("merged", 3), row("in-progress", null)], "money");
  expect(shares.map(({ label, share }) => [label, share])).toEqual([
    ["merged", 0.75],
    ["discarded", 0.25],
  ]);
  expect(outcomeShares([], "tokens")).toEqual([]);
});
