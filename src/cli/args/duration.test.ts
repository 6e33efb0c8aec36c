import { expect, it } from "vitest";
import { formatAge, parseDuration } from "./duration.ts";

it.each([
  ["30", 30_000],
  ["500ms", 500],
  ["1.5s", 1500],
  ["5m", 300_000],
  ["2h", 7_200_000],
  ["1d", 86_400_000],
])("%s is %i ms", (written, ms) => {
  expect(parseDuration(written, "--timeout")).toBe(ms);
});

it.each(["", "soon", "-1s", "5 minutes", "1w"])("rejects %j as a duration", (written) => {
  expect(() => parseDuration(written, "--timeout")).toThrow("--timeout is not a duration");
});

it.each([
  [-5, "0s"],
  [59_999, "59s"],
  [60_000, "1m"],
  [3_599_999, "59m"],
  [3_600_000, "1h"],
  [86_400_000, "1d"],
])("%i ms ago is %s", (ms, text) => {
  expect(formatAge(ms)).toBe(text);
});
