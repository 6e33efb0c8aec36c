import { describe, expect, it } from "vitest";
import { formatAge, formatClock, formatCountdown, formatMoment, formatSpan, isToday } from "./time.ts";

const NOW = new Date(2026, 10, 12, 14, 36, 7).getTime();
const at = (ms: number): string => new Date(NOW - ms).toISOString();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe("a duration", () => {
  it.each([
    [-5, "0 s"],
    [0, "0 s"],
    [12_400, "12 s"],
    [59_999, "59 s"],
    [MINUTE, "1 min"],
    [41 * MINUTE, "41 min"],
    [HOUR + 2 * MINUTE, "1 h 02"],
    [HOUR + 12 * MINUTE, "1 h 12"],
    [50 * HOUR, "2 d"],
  ])("of %d ms is shown as %s", (ms, text) => expect(formatSpan(ms)).toBe(text));
});

it("an age is counted from now", () => expect(formatAge(at(4 * MINUTE), NOW)).toBe("4 min"));

it("the clock has seconds on request", () => {
  expect(formatClock(NOW)).toBe("14:36");
  expect(formatClock(NOW, { seconds: true })).toBe("14:36:07");
});

it("a moment on another day names the day", () => {
  expect(formatMoment(at(HOUR), NOW)).toBe("13:36");
  expect(formatMoment(at(24 * HOUR), NOW)).toBe("yesterday 14:36");
  expect(formatMoment(at(72 * HOUR), NOW)).toBe("9 Nov 14:36");
  expect(isToday(at(15 * HOUR), NOW)).toBe(false);
});

it("a countdown stops at due", () => {
  expect(formatCountdown(at(-12 * MINUTE), NOW)).toBe("in 12 min");
  expect(formatCountdown(at(1), NOW)).toBe("due");
});
