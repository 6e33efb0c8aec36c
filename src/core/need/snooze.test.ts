import { describe, expect, it } from "vitest";
import { reactFleet } from "../fleet/react.ts";
import { initialFleet, type Snoozes } from "../fleet/state.ts";
import { decideSnooze, evolveSnoozes, MAX_SNOOZES, settleSnoozes, snoozedUntil } from "./snooze.ts";

const HOUR = 3_600_000;
const command = { type: "inbox.snooze", id: "demo/1/review", occurrence: "head1", until: HOUR, by: "ann" } as const;
const fleetWith = (snoozes: Snoozes) => ({ ...initialFleet(), snoozes });

describe("a snooze", () => {
  it("is recorded with the occurrence that the person saw", () => {
    const { type: _, ...facts } = command;
    expect(decideSnooze(command, 0)).toEqual({
      kind: "accepted",
      events: [{ stream: "fleet", event: { type: "inbox.snoozed", ...facts } }],
    });
  });

  it("is rejected for a time in the past", () => {
    expect(decideSnooze(command, HOUR)).toMatchObject({ kind: "rejected", rejection: { code: "usage" } });
  });

  it("hides only this occurrence", () => {
    const fleet = fleetWith({ "demo/1/review": { until: HOUR, occurrence: "head1" } });
    expect(snoozedUntil(fleet, { id: "demo/1/review", occurrence: "head1" })).toBe(HOUR);
    expect(snoozedUntil(fleet, { id: "demo/1/review", occurrence: "head2" })).toBeNull();
    expect(snoozedUntil(initialFleet(), { id: "demo/1/review", occurrence: "head1" })).toBeNull();
  });

  it("ends when its time comes", () => {
    const fleet = fleetWith({ a: { until: HOUR, occurrence: "1" }, b: { until: 2 * HOUR, occurrence: "1" } });
    expect(reactFleet(fleet, 0).wakeAt).toBe(HOUR);
    expect(settleSnoozes(fleet, HOUR - 1)).toEqual([]);
    expect(settleSnoozes(fleet, HOUR)).toEqual([{ stream: "fleet", event: { type: "inbox.returned", id: "a" } }]);
    expect(evolveSnoozes(fleet.snoozes, { type: "inbox.returned", id: "a" })).toEqual({ b: fleet.snoozes["b"] });
  });

  it("makes space by returning the one that is due first", () => {
    let snoozes: Snoozes = {};
    for (let n = 0; n <= MAX_SNOOZES; n += 1) {
      snoozes = evolveSnoozes(snoozes, { type: "inbox.snoozed", id: `i${n}`, occurrence: "", until: n, by: "ann" });
    }
    expect(Object.keys(snoozes)).toHaveLength(MAX_SNOOZES);
    expect(snoozes).not.toHaveProperty("i0");
  });
});
