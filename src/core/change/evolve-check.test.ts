import { describe, expect, it } from "vitest";
import { aChange, aCheckRun } from "../../testing/change-builders.ts";
import type { ChangeEvent } from "./events.ts";
import { evolveChange } from "./evolve.ts";
import type { ChangeState, CheckRun } from "./state.ts";

const forge = {
  ...{ published: "head1", pushes: 0, failure: null, foreign: null, version: "" },
  seen: null,
  written: 0,
};
const write = { id: "w1", about: "build", kind: "rerun", check: "build", ref: "7" } as const;

const red = aCheckRun({ name: "build", state: "timed-out", ref: "7", fingerprint: "f1", tests: ["a"] });

function evolved(events: readonly ChangeEvent[], build: CheckRun = red): ChangeState {
  const start = aChange({ forge: { ...forge, writes: [] }, checks: { build } });
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

describe("a check that the forge refuses to run again", () => {
  const refused: readonly ChangeEvent[] = [...RERUN, { type: "change.write-settled", id: "w1", reason: "403" }];

  it.each(["passed", "cancelled", "unknown", "setup-failed"] as const)("is %s as before", (state) => {
    const run = aCheckRun({ name: "build", state, ref: "7" });
    expect(evolved(refused, run).checks["build"]).toEqual({ ...run, attempt: 2, at: 2000 });
  });

  it("stays green, and known as flaky, if it failed before it passed", () => {
    const earlier = { count: 1, state: "failed", tests: ["a"] } as const;
    const attribution = { cause: "flaky", base: null } as const;
    const run = aCheckRun({ name: "build", state: "passed", ref: "7", earlier, attribution });
    expect(evolved(refused, run).checks["build"]).toEqual({ ...run, attempt: 2, at: 2000 });
  });

  it("is red as before in a state of an older version, which does not say what it was", () => {
    const earlier = { count: 1, state: "failed", tests: [] } as const;
    const queued = aCheckRun({ name: "build", state: "queued", ref: "7", attempt: 2, earlier });
    expect(evolved(refused, queued).checks["build"]).toMatchObject({ state: "failed", earlier: { isRefused: true } });
  });
});
