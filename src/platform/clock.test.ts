import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSystemClock } from "./clock.ts";

function aClock() {
  const time = { wall: 1_000_000, elapsed: 0 };
  const clock = createSystemClock({ wall: () => time.wall, elapsed: () => time.elapsed });
  return { time, clock };
}

describe("the clock", () => {
  it("advances by elapsed time after the wall clock is set back", () => {
    const { time, clock } = aClock();
    time.wall -= 7_200_000;
    time.elapsed += 500;
    expect(clock.now()).toBe(1_000_500);
    time.wall += 1000;
    time.elapsed += 1000;
    expect(clock.now()).toBe(1_001_500);
  });

  it("follows the wall clock when it is set forward", () => {
    const { time, clock } = aClock();
    time.wall += 7_200_000;
    expect(clock.now()).toBe(8_200_000);
  });

  it("never goes back and never stops, whatever happens to the wall clock", () => {
    const step = fc.record({
      elapsed: fc.integer({ min: 1, max: 100_000 }),
      jump: fc.integer({ min: -1e9, max: 1e9 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
        const { time, clock } = aClock();
        for (const { elapsed, jump } of steps) {
          const before = clock.now();
          time.elapsed += elapsed;
          time.wall += elapsed + jump;
          expect(clock.now()).toBeGreaterThanOrEqual(before + elapsed);
        }
      }),
    );
  });
});
