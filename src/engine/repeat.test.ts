import { describe, expect, it } from "vitest";
import { createFakeClock } from "../testing/fake-clock.ts";
import { createGate } from "../testing/gate.ts";
import { createActivity } from "./activity.ts";
import { repeat } from "./repeat.ts";

describe("repeated work", () => {
  it("pauses after the end of each run", async () => {
    const clock = createFakeClock(0);
    const gate = createGate();
    let runs = 0;
    const work = async (): Promise<void> => {
      runs += 1;
      await gate.pass();
    };
    repeat({ clock, activity: createActivity(), pauseMs: 100, work });
    await clock.advance(99);
    expect(runs).toBe(0);
    await clock.advance(1);
    await clock.advance(1000);
    expect(runs).toBe(1);
    gate.open();
    await clock.advance(0);
    await clock.advance(100);
    expect(runs).toBe(2);
  });

  it("does not start again if it was stopped during a run", async () => {
    const clock = createFakeClock(0);
    const gate = createGate();
    const activity = createActivity();
    let runs = 0;
    const work = async (): Promise<void> => {
      runs += 1;
      await gate.pass();
    };
    const stop = repeat({ clock, activity, pauseMs: 100, work });
    await clock.advance(100);
    stop();
    gate.open();
    await activity.idle();
    await clock.advance(1000);
    expect(runs).toBe(1);
  });
});
