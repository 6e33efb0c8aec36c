import { describe, expect, it } from "vitest";
import { aChange, aCheckRun } from "../../testing/change-builders.ts";
import type { ChangeEvent } from "./events.ts";
import { evolveChange } from "./evolve.ts";
import type { ChangeState } from "./state.ts";

const forge = {
  ...{ published: "head1", pushes: 0, failure: null, foreign: null, version: "" },
  seen: null,
  written: 0,
};
const write = { id: "w1", about: "build", kind: "rerun", check: "build", ref: "7" } as const;

function evolved(events: readonly ChangeEvent[]): ChangeState {
  const red = aCheckRun({ name: "build", state: "timed-out", ref: "7", fingerprint: "f1", tests: ["a"] });
  const start = aChange({ forge: { ...forge, writes: [] }, checks: { build: red } });
  return events.reduce((state, event) => evolveChange(state, event, 2000) ?? state, start);
}

const RERUN: readonly ChangeEvent[] = [
  { type: "check.rerun-requested", name: "build", attempt: 2, by: "ann" },
  { type: "change.write-queued", write },
];

describe("a red check that is to run again", () => {
  it("remembers that it failed, and in which tests, until there is another commit", () => {
    const started = { type: "check.started", name: "build", head: "head1", attempt: 2, ref: "8" } as const;
    const { checks } = evolved([...RERUN, { type: "change.write-settled", id: "w1", reason: null }, started]);
    expect(checks["build"]).toMatchObject({
      state: "running",
      earlier: { count: 1, state: "timed-out", tests: ["a"] },
    });
    expect(evolved([...RERUN, { type: "change.updated", head: "head2" }]).checks).toEqual({});
  });

  it("is red again when the forge refuses", () => {
    const { checks } = evolved([...RERUN, { type: "change.write-settled", id: "w1", reason: "403" }]);
    expect(checks["build"]).toMatchObject({ state: "timed-out", fingerprint: "f1", earlier: { isRefused: true } });
  });
});
