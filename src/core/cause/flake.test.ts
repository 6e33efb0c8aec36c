import { expect, it } from "vitest";
import { addFlake, type Flakes, isKnownFlake } from "./flake.ts";

const DAY = 24 * 60 * 60_000;

function seen(flakes: Flakes, tests: readonly string[], at = 0): Flakes {
  return addFlake(flakes, { type: "check.flaked", name: "unit", commit: "c", key: "demo/1", tests }, at);
}

it.each<readonly [string, readonly string[], readonly string[], number, boolean]>([
  ["the same test", ["a"], ["a"], 0, true],
  ["another test", ["a"], ["b"], 0, false],
  ["the same test and another one", ["a"], ["a", "b"], 0, false],
  ["no test, of a check that was flaky", ["a"], [], 0, true],
  ["the same test after a month", ["a"], ["a"], 31 * DAY, false],
  ["a test whose name every object has", ["a"], ["constructor"], 0, false],
])("a failure of %s", (_, flaky, failing, now, expected) => {
  expect(isKnownFlake(seen({}, flaky), { name: "unit", tests: failing }, now)).toBe(expected);
});

it("knows no flakes of a check that never had one", () => {
  expect(isKnownFlake({}, { name: "toString", tests: [] }, 0)).toBe(false);
});

it("counts, and keeps the tests that were seen last", () => {
  const once = seen({}, ["a", "b"], 1);
  expect(seen(once, ["a"], 2)).toEqual({
    unit: { count: 2, at: 2, tests: { b: { count: 1, at: 1 }, a: { count: 2, at: 2 } } },
  });
  const many = Array.from({ length: 150 }, (_, n) => `t${n}`).reduce<Flakes>((all, test) => seen(all, [test]), {});
  expect(Object.keys(many["unit"]?.tests ?? {})).toHaveLength(100);
});
