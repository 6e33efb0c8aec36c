import { describe, expect, it } from "vitest";
import type { CostRowView } from "../../../../src/protocol/views/cost.ts";
import { amountOf, byAmount, describeUnknown, fillDays, firstDay, formatTick, medianOf } from "./cost-figures.ts";

const NOW = Date.parse("2026-11-16T04:00:00Z");

function row(key: string, costUsd: number | null, unpricedTokens = 0): CostRowView {
  const tokens = { inputTokens: 900, cachedTokens: 0, outputTokens: 100, estimatedUsd: 0, unpricedTokens };
  return { key, title: null, sessions: 1, costUsd, ...tokens };
}

describe("the figures of the cost page", () => {
  it("a range of days ends today", () => {
    expect(firstDay("1d", NOW)).toBe("2026-11-16");
    expect(firstDay("7d", NOW)).toBe("2026-11-10");
    expect(firstDay("all", NOW)).toBeNull();
  });

  it("days without a cost are part of the chart", () => {
    const days = fillDays([row("2026-11-14", 2)], { unit: "money", range: "7d", now: NOW });
    expect(days.map(({ day, value }) => [day.slice(8), value])).toEqual([
      ["10", 0],
      ["11", 0],
      ["12", 0],
      ["13", 0],
      ["14", 2],
      ["15", 0],
      ["16", 0],
    ]);
    expect(
      fillDays([row("2026-11-15", 2)], { unit: "tokens", range: "all", now: NOW }).map(({ value }) => value),
    ).toEqual([1_000, 0]);
    expect(fillDays([], { unit: "money", range: "all", now: NOW })).toHaveLength(1);
  });

  it("a cost without a price is unknown, not free", () => {
    expect(amountOf(row("a", 0, 500), "money")).toBeNull();
    expect(amountOf(row("a", null), "money")).toBeNull();
    expect(amountOf(row("a", null), "tokens")).toBe(1_000);
    expect(describeUnknown(row("a", 1, 8_100))).toBe("8.1k tokens have no known price");
    expect(describeUnknown(row("a", 1))).toBeNull();
  });

  it("the median ignores unknown costs", () => {
    expect(medianOf([3, null, 1])).toBe(2);
    expect(medianOf([3, 1, 2])).toBe(2);
    expect(medianOf([null])).toBeNull();
  });

  it("the most expensive come first, the unknown last", () => {
    const rows = [row("low", 1), row("unknown", null), row("high", 9)];
    expect(byAmount(rows, "money").map(({ key }) => key)).toEqual(["high", "low", "unknown"]);
  });

  it.each([
    [50, "money", "$50"],
    [0.5, "money", "$0.50"],
    [20_000, "tokens", "20k"],
  ] as const)("%d on the axis of %s is %s", (value, unit, text) => {
    expect(formatTick(value, unit)).toBe(text);
  });
});
