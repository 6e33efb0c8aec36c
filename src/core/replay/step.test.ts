import { expect, it } from "vitest";
import type { AnyEvent } from "../event.ts";
import { isDecidedByRules, isSettled } from "./step.ts";

const CAUSES: readonly AnyEvent[] = [
  { type: "check.rerun-requested", name: "unit", attempt: 2, by: "ao" },
  { type: "commit.check-requested", commit: "b1", name: "unit", attempt: 1, key: "demo/1" },
];

it.each(CAUSES)("$type comes after the decisions about the state before it, and stays as recorded", (event) => {
  expect([isSettled(event), isDecidedByRules(event)]).toEqual([true, false]);
});

it("a person's request to run a check again comes before any decision", () => {
  expect(isSettled({ type: "check.rerun-requested", name: "unit", attempt: 2, by: "ann" })).toBe(false);
});
