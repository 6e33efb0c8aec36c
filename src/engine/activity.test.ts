import { describe, expect, it } from "vitest";
import { nextTurn } from "../testing/gate.ts";
import { createActivity } from "./activity.ts";

describe("activity", () => {
  it("is idle at once if nothing is running", async () => {
    await expect(createActivity().idle()).resolves.toBeUndefined();
  });

  it("becomes idle when the last of several tasks ends", async () => {
    const activity = createActivity();
    const ends = [activity.begin(), activity.begin()];
    let idle = false;
    const awaited = activity.idle().then(() => {
      idle = true;
    });
    ends[0]?.();
    await nextTurn();
    expect(idle).toBe(false);
    ends[1]?.();
    await awaited;
    expect(idle).toBe(true);
  });

  it("is not idle if work starts before the waiter can continue", async () => {
    const activity = createActivity();
    const first = activity.begin();
    let idle = false;
    const awaited = activity.idle().then(() => {
      idle = true;
    });
    first();
    const second = activity.begin();
    await nextTurn();
    expect(idle).toBe(false);
    second();
    await awaited;
  });
});
