import { expect, it } from "vitest";
import { createFakeClock } from "../testing/fake-clock.ts";
import { createBackgroundLane } from "./background-lane.ts";

it("runs one task at a time, in order, and rests after each in proportion to its duration", async () => {
  const clock = createFakeClock(0);
  const lane = createBackgroundLane(clock, 0.25);
  const order: string[] = [];
  const first = lane(async () => {
    order.push("first");
    clock.set(10);
  });
  const second = lane(async () => {
    order.push("second");
  });
  await first;
  await clock.advance(0);
  await clock.advance(29);
  expect(order).toEqual(["first"]);
  await clock.advance(1);
  await second;
  expect(order).toEqual(["first", "second"]);
});

it("continues after a task that fails", async () => {
  const lane = createBackgroundLane(createFakeClock(0), 0.25);
  const failed = lane(async () => {
    throw new Error("broken");
  });
  await expect(failed).rejects.toThrow("broken");
  await expect(lane(async () => undefined)).resolves.toBeUndefined();
});

it("rests for seconds at most, although the clock was set ahead during a task", async () => {
  const clock = createFakeClock(0);
  const lane = createBackgroundLane(clock, 0.25);
  let isDone = false;
  await lane(async () => clock.set(3 * 3_600_000));
  const second = lane(async () => {
    isDone = true;
  });
  await clock.advance(0);
  await clock.advance(10_000);
  await second;
  expect(isDone).toBe(true);
});
