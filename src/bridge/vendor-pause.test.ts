import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createVendorPause, type VendorPause } from "./vendor-pause.ts";

const MINUTE = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
});

afterEach(() => {
  vi.useRealTimers();
});

function setUp(): { readonly pause: VendorPause; overs(): number } {
  let overs = 0;
  const pause = createVendorPause(() => {
    overs += 1;
  });
  return { pause, overs: () => overs };
}

describe("a pause for a rate limit", () => {
  it("ends a second after the vendor's time, because clocks differ", () => {
    const { pause, overs } = setUp();
    pause.begin(new Date(Date.now() + MINUTE));
    vi.advanceTimersByTime(MINUTE);
    expect(overs()).toBe(0);
    vi.advanceTimersByTime(1000);
    expect(overs()).toBe(1);
  });

  it.each([
    ["gave no time", null],
    ["gave an impossible time", new Date(Number.NaN)],
  ])("doubles from a minute to half an hour if the vendor %s, until a turn finishes", (_, until) => {
    const { pause, overs } = setUp();
    for (const minutes of [1, 2, 4, 8, 16, 30, 30]) {
      const before = overs();
      pause.begin(until);
      vi.advanceTimersByTime(minutes * MINUTE - 1);
      expect(overs()).toBe(before);
      vi.advanceTimersByTime(1);
      expect(overs()).toBe(before + 1);
    }
    pause.forget();
    pause.begin(until);
    vi.advanceTimersByTime(MINUTE);
    expect(overs()).toBe(8);
  });

  it("takes a second past time in a row for none, until a time is ahead or a turn finishes", () => {
    const { pause, overs } = setUp();
    const waits = (aheadMs: number, ms: number): void => {
      const before = overs();
      pause.begin(new Date(Date.now() + aheadMs));
      vi.advanceTimersByTime(ms - 1);
      expect(overs()).toBe(before);
      vi.advanceTimersByTime(1);
      expect(overs()).toBe(before + 1);
    };
    for (const ms of [1000, MINUTE, 2 * MINUTE, 4 * MINUTE]) waits(-MINUTE, ms);
    waits(MINUTE, MINUTE + 1000);
    waits(0, 1000);
    waits(0, 8 * MINUTE);
    pause.forget();
    waits(-MINUTE, 1000);
    waits(-MINUTE, MINUTE);
  });

  it("does not end by itself after something else happened", () => {
    const { pause, overs } = setUp();
    pause.begin(null);
    pause.end();
    vi.advanceTimersByTime(MINUTE);
    expect(overs()).toBe(0);
    expect(pause.isPausing()).toBe(false);
  });
});

describe("a pause for an outage", () => {
  const SECOND = 1000;

  it("doubles from half a minute to eight minutes, and gives up after half an hour", () => {
    const { pause, overs } = setUp();
    for (const seconds of [30, 60, 120, 240, 480, 480, 480]) {
      const next = pause.beginOutage();
      expect(next?.getTime()).toBe(Date.now() + seconds * SECOND);
      const before = overs();
      vi.advanceTimersByTime(seconds * SECOND);
      expect(overs()).toBe(before + 1);
    }
    expect(pause.beginOutage()).toBeNull();
    expect(pause.isPausing()).toBe(false);
  });

  it("begins anew after a finished turn, and after work between two failures", () => {
    const { pause } = setUp();
    const first = (): number => (pause.beginOutage()?.getTime() ?? 0) - Date.now();
    expect([first(), first()]).toEqual([30 * SECOND, MINUTE]);
    pause.forget();
    expect(first()).toBe(30 * SECOND);
    vi.advanceTimersByTime(30 * SECOND + 6 * MINUTE);
    expect(first()).toBe(30 * SECOND);
  });
});
