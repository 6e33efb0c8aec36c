import { expect, it } from "vitest";
import type { Clock } from "./host.ts";
import { poll, pollUntil } from "./poll.ts";

/** A clock on which every pause ends at once; it records the length of each. */
function aQuickClock(): { readonly clock: Clock; readonly pauses: number[] } {
  const pauses: number[] = [];
  let now = 0;
  const clock: Clock = {
    now: () => now,
    after: (ms, callback) => {
      pauses.push(ms);
      now += ms;
      queueMicrotask(callback);
      return () => undefined;
    },
  };
  return { clock, pauses };
}

it("returns the first answer, without a pause if it is there immediately", async () => {
  const { clock, pauses } = aQuickClock();
  expect(await poll(clock, { everyMs: 50, timeoutMs: 1000 }, () => "here")).toBe("here");
  expect(pauses).toEqual([]);
});

it("probes once more when time is up, and pauses no longer than the remaining time", async () => {
  const { clock, pauses } = aQuickClock();
  let probes = 0;
  const probe = async (): Promise<null> => {
    probes += 1;
    return null;
  };
  expect(await poll(clock, { everyMs: 40, timeoutMs: 100 }, probe)).toBeNull();
  expect(pauses).toEqual([40, 40, 20]);
  expect(probes).toBe(4);
});

it("probes once when there is no time at all", async () => {
  const { clock, pauses } = aQuickClock();
  expect(await pollUntil(clock, { everyMs: 40, timeoutMs: 0 }, () => false)).toBe(false);
  expect(pauses).toEqual([]);
});

it("slows down to the slowest pace", async () => {
  const { clock, pauses } = aQuickClock();
  expect(await pollUntil(clock, { everyMs: 2, slowestMs: 10, timeoutMs: 60 }, () => clock.now() >= 40)).toBe(true);
  expect(pauses).toEqual([2, 4, 8, 10, 10, 10]);
});

it("rejects with the error of a failed probe", async () => {
  const { clock } = aQuickClock();
  const probe = (): never => {
    throw new Error("the disk is gone");
  };
  await expect(poll(clock, { everyMs: 1, timeoutMs: 10 }, probe)).rejects.toThrow("the disk is gone");
});

it.each<readonly [string, number]>([
  ["ahead", 3 * 3_600_000],
  ["back", -3 * 3_600_000],
])("waits as long as it should although the clock is set %s meanwhile", async (_, jumpMs) => {
  const { clock: quick, pauses } = aQuickClock();
  let skew = 0;
  const clock: Clock = { ...quick, now: () => quick.now() + skew };
  const probe = (): boolean => {
    if (pauses.length === 2) skew = jumpMs;
    return false;
  };
  expect(await pollUntil(clock, { everyMs: 40, timeoutMs: 200 }, probe)).toBe(false);
  expect(pauses).toEqual([40, 40, 40, 40, 40]);
});
