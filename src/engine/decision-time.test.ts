import { describe, expect, it } from "vitest";
import { createFakeClock, type FakeClock } from "../testing/fake-clock.ts";
import { createDecisionTime, type DecisionTime } from "./decision-time.ts";

const SECOND = 1000;
const HOUR = 3_600_000;

interface Scene {
  readonly time: DecisionTime;
  readonly clock: FakeClock;
  /** How often the heartbeat noticed a sleep. */
  noticed(): number;
}

function setUp({ now = HOUR, lastAt = 0 } = {}): Scene {
  const clock = createFakeClock(now);
  let noticed = 0;
  const onSleep = (): void => {
    noticed += 1;
  };
  return { time: createDecisionTime({ clock, lastAt, onSleep }), clock, noticed: () => noticed };
}

/** Lets time pass on a machine that is awake: no timer is late. */
async function stayAwake(clock: FakeClock, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 5 * SECOND) await clock.advance(5 * SECOND);
}

describe("the time of decisions", () => {
  it("is the clock's", async () => {
    const { time, clock } = setUp();
    await clock.advance(SECOND);
    expect(time.now()).toBe(HOUR + SECOND);
  });

  it("never returns before the last commit, although the clock is set back", () => {
    const { time, clock } = setUp();
    time.advanceTo(HOUR);
    clock.set(HOUR - 20 * SECOND);
    expect(time.now()).toBe(HOUR);
    clock.set(HOUR + SECOND);
    expect(time.now()).toBe(HOUR + SECOND);
  });

  it("continues from an event of the future instead of standing still until the clock has caught up", async () => {
    const { time, clock } = setUp({ now: 0, lastAt: HOUR });
    expect(time.now()).toBe(HOUR);
    await clock.advance(SECOND);
    expect(time.now()).toBe(HOUR + SECOND);
  });

  it("reports a sleep once", () => {
    const { time, clock } = setUp();
    clock.set(2 * HOUR);
    expect(time.takeSleep()).toBe(HOUR);
    expect(time.takeSleep()).toBe(0);
  });

  it("takes a long quiet time on a machine that is awake for no sleep", async () => {
    const { time, clock, noticed } = setUp();
    await stayAwake(clock, HOUR / 10);
    expect(noticed()).toBe(0);
    expect(time.takeSleep()).toBe(0);
  });

  it("notices a sleep by its heartbeat, and leaves it to be taken", async () => {
    const { time, clock, noticed } = setUp();
    await clock.advance(HOUR);
    expect(noticed()).toBe(1);
    expect(time.takeSleep()).toBe(HOUR);
  });

  it("lets a sleep use up the lead of a log from the future", () => {
    const { time, clock } = setUp({ now: 0, lastAt: 2 * HOUR });
    clock.set(HOUR);
    time.takeSleep();
    expect(time.now()).toBe(2 * HOUR);
    clock.set(3 * HOUR);
    time.takeSleep();
    expect(time.now()).toBe(3 * HOUR);
  });

  it("has no timer left after it is stopped", async () => {
    const { time, clock } = setUp();
    await stayAwake(clock, 30 * SECOND);
    time.stop();
    expect(clock.nextAt()).toBeNull();
  });
});
