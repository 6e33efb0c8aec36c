import { expect, it } from "vitest";
import { axisTicks, nextWindow } from "./axis.ts";
import { formatClock } from "./time.ts";

const HOUR = 3_600_000;
const NOW = new Date(2026, 10, 12, 14, 36).getTime();

it.each([
  [1, ["13:45", "14:00", "14:15"]],
  [3, ["12:00", "13:00", "14:00"]],
  [12, ["04:00", "08:00", "12:00"]],
  [24, ["16:00", "00:00", "08:00"]],
])("an axis of %d hours has round labels that do not overlap its end", (hours, labels) => {
  expect(axisTicks(NOW - hours * HOUR, NOW).map(({ time }) => formatClock(time))).toEqual(labels);
});

it("the window cycles", () => {
  expect(nextWindow("3h")).toBe("12h");
  expect(nextWindow("24h")).toBe("1h");
});
