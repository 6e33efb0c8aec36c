import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addUsage, dayOf, NO_USAGE, type SessionUsage, type UsedReport } from "./usage.ts";

const NOON = Date.UTC(2026, 6, 1, 12);
const DAY_MS = 86_400_000;
const TURN = { inputTokens: 1000, cachedTokens: 200, outputTokens: 50 };

function used(...reports: readonly (readonly [UsedReport, number?])[]): SessionUsage {
  return reports.reduce((usage, [report, at = NOON]) => addUsage(usage, report, at), NO_USAGE);
}

describe("what an agent reports", () => {
  it("is summed per model and day", () => {
    const a = { ...TURN, costUsd: 0.5, model: "a" };
    const usage = used([a], [a], [{ ...a, model: "b" }], [a, NOON + DAY_MS]);
    expect(usage).toMatchObject({ inputTokens: 4000, cachedTokens: 800, outputTokens: 200, costUsd: 2 });
    expect(usage.parts.map(({ day, model, costUsd }) => [day - dayOf(NOON), model, costUsd])).toEqual([
      [0, "a", 1],
      [0, "b", 0.5],
      [1, "a", 0.5],
    ]);
  });

  it("keeps tokens without money separate", () => {
    const usage = used([{ ...TURN, costUsd: 0.5, model: "a" }], [{ ...TURN, costUsd: 0, model: "a" }]);
    expect(usage.parts).toMatchObject([{ inputTokens: 2000, costUsd: 0.5, unpaid: TURN }]);
    expect(usage.paysApart).toBe(false);
  });

  it("may be money alone, which covers all tokens", () => {
    const money = { inputTokens: 0, outputTokens: 0, costUsd: 0.25 };
    expect(used([{ ...TURN, costUsd: 0 }], [money]).paysApart).toBe(true);
  });

  it("never counts more cached tokens than input tokens", () => {
    expect(used([{ inputTokens: 5, cachedTokens: 9, outputTokens: 0, costUsd: 0 }]).cachedTokens).toBe(5);
  });

  it("continues from a state that has only sums", () => {
    const old = { inputTokens: 10, outputTokens: 5, costUsd: 0.5 } as SessionUsage;
    const usage = addUsage(old, { ...TURN, costUsd: 0, model: "a" }, NOON);
    expect(usage).toMatchObject({ inputTokens: 1010, cachedTokens: 200, outputTokens: 55, costUsd: 0.5 });
    expect(usage.parts.map(({ model, inputTokens }) => [model, inputTokens])).toEqual([
      [null, 10],
      ["a", 1000],
    ]);
  });
});

it("the parts are few, and always add up to the total", () => {
  const report = fc.record({
    inputTokens: fc.nat(99),
    cachedTokens: fc.nat(99),
    outputTokens: fc.nat(99),
    costUsd: fc.nat(9),
    model: fc.constantFrom("a", "b", "c"),
  });
  fc.assert(
    fc.property(fc.array(report, { maxLength: 400 }), fc.nat(3), (reports, step) => {
      const usage = used(...reports.map((one, index) => [one, NOON + index * step * DAY_MS] as const));
      expect(usage.parts.length).toBeLessThanOrEqual(100);
      for (const name of ["inputTokens", "cachedTokens", "outputTokens", "costUsd"] as const) {
        expect(usage.parts.reduce((sum, part) => sum + part[name], 0)).toBe(usage[name]);
      }
      expect(usage.parts.map(({ day }) => day)).toEqual(usage.parts.map(({ day }) => day).sort((a, b) => a - b));
    }),
    { numRuns: 50 },
  );
});
