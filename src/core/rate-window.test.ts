import { describe, expect, it } from "vitest";
import { type ObservedWindow, observeWindows, predictExhaustion } from "./rate-window.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The window after reports of these percentages, ten minutes apart. */
function filledBy(percents: readonly number[], resetsAt: number | null = 5 * HOUR): ObservedWindow {
  let known: readonly ObservedWindow[] = [];
  percents.forEach((usedPercent, n) => {
    known = observeWindows(known, [{ name: "5 h", usedPercent, resetsAt }], n * 10 * MINUTE);
  });
  return known[0] ?? expect.unreachable("there is no window");
}

describe("reports of a rate-limit window", () => {
  it("are kept as a curve, with one point for reports that are close together", () => {
    let known = observeWindows([], [{ name: "5 h", usedPercent: 1, resetsAt: null }], 0);
    for (const at of [1, 2, 3]) {
      known = observeWindows(known, [{ name: "5 h", usedPercent: 1 + at, resetsAt: null }], at * 20_000 + MINUTE);
    }
    expect(known[0]?.samples.map(({ usedPercent }) => usedPercent)).toEqual([1, 2, 4]);
  });

  it("start over when less is used than before", () => {
    expect(filledBy([40, 80, 5]).samples).toEqual([{ at: 20 * MINUTE, usedPercent: 5 }]);
  });

  it("are bounded", () => {
    expect(filledBy(Array.from({ length: 500 }, (_, n) => n / 10)).samples).toHaveLength(60);
  });

  it("leave the windows of other reports alone until they reset", () => {
    const week = { name: "7 days", usedPercent: 9, resetsAt: HOUR };
    const day = { name: "5 h", usedPercent: 3, resetsAt: null };
    const known = observeWindows(observeWindows([], [week], 0), [day], MINUTE);
    expect(known.map(({ name }) => name)).toEqual(["5 h", "7 days"]);
    expect(observeWindows(known, [day], HOUR).map(({ name }) => name)).toEqual(["5 h"]);
  });
});

describe("when a window will be used up", () => {
  it.each<[string, ObservedWindow, number | null]>([
    ["at the pace of the last hour", filledBy([40, 50, 60]), HOUR],
    ["now, if nothing is left", filledBy([40, 100]), 10 * MINUTE],
    ["unknown after one report", filledBy([40]), null],
    ["never, while nothing is used", filledBy([40, 40, 40]), null],
    ["not before it resets", filledBy([1, 2, 3]), null],
    ["also without a known reset", filledBy([1, 2, 3], null), 20 * MINUTE + 970 * MINUTE],
    ["unknown days ahead", filledBy([1, 1.5], null), null],
    ["by recent usage", filledBy([0, 0, 0, 0, 0, 0, 0, 10, 20], null), 80 * MINUTE + 240 * MINUTE],
  ])("%s", (_when, window, expected) => {
    expect(predictExhaustion(window)).toBe(expected);
  });
});
