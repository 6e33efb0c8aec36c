import { expect, it } from "vitest";
import { createAllowance } from "./allowance.ts";

it("allows a burst, then one per interval", () => {
  const allowance = createAllowance({ burst: 3, intervalMs: 100 });
  expect([0, 0, 0, 0].map((now) => allowance.take(now))).toEqual([true, true, true, false]);
  expect(allowance.waitMs(40)).toBe(60);
  expect([100, 150, 200].map((now) => allowance.take(now))).toEqual([true, false, true]);
});

it("refills up to the burst during quiet time", () => {
  const allowance = createAllowance({ burst: 2, intervalMs: 100 });
  allowance.take(0);
  allowance.take(0);
  expect(allowance.waitMs(10_000)).toBe(0);
  expect([1, 2, 3].map((n) => allowance.take(10_000 + n))).toEqual([true, true, false]);
});

it("does not count what was returned", () => {
  const allowance = createAllowance({ burst: 1, intervalMs: 100 });
  allowance.take(0);
  allowance.giveBack();
  expect(allowance.take(0)).toBe(true);
});

it("allows nothing extra if the clock is set back", () => {
  const allowance = createAllowance({ burst: 1, intervalMs: 100 });
  allowance.take(10_000);
  expect(allowance.take(5000)).toBe(false);
});

it("follows an interval that grows with the load", () => {
  let intervalMs = 100;
  const allowance = createAllowance({ burst: 1, intervalMs: () => intervalMs });
  allowance.take(0);
  intervalMs = 300;
  expect(allowance.waitMs(100)).toBe(200);
  expect([100, 299, 300].map((now) => allowance.take(now))).toEqual([false, false, true]);
});
