import { describe, expect, it } from "vitest";
import { aProject, aWorld } from "../../testing/builders.ts";
import { aChange, aCheckRule, aCheckRun, aPolicy } from "../../testing/change-builders.ts";
import type { ChangeState, CheckState, Review } from "../change/state.ts";
import { type ChangeStatus, deriveChangeStatus } from "../change/status.ts";
import { describeBlocker, findBlockers, isTemporary, requiredChecks } from "./blockers.ts";

const clean = { kind: "clean", head: "head1", baseHead: "b1", files: [], reason: null } as const;

function aReview(facts: Partial<Review> = {}): Review {
  return { id: "v1", author: "ann", verdict: "approve", body: null, head: "head1", at: 1000, ...facts };
}

/** Approved, green and clean against b1. */
function ready(facts: Partial<ChangeState> = {}): ChangeState {
  return aChange({ checks: { unit: aCheckRun() }, reviews: [aReview()], mergeability: clean, ...facts });
}

function blockers(change: ChangeState, policy = aPolicy()): readonly (readonly [string, boolean])[] {
  return findBlockers(change, policy, "b1").map((one) => [describeBlocker(one), isTemporary(one)] as const);
}

function derive(change: ChangeState, policy = aPolicy(), facts: Parameters<typeof aWorld>[0] = {}): ChangeStatus {
  const projects = [aProject({ policy, baseHead: "b1" })];
  return deriveChangeStatus(aWorld({ projects, changes: [change], ...facts }), change);
}

function status(change: ChangeState, policy = aPolicy()): string {
  return derive(change, policy).status;
}

function withCheck(state: CheckState): ChangeState {
  return ready({ checks: { unit: aCheckRun({ state }) } });
}

describe("an approved, green and clean change", () => {
  it("has no blocker", () => {
    expect(blockers(ready())).toEqual([]);
    expect(status(ready())).toBe("mergeable");
  });
});

describe("a blocker is", () => {
  const conflict = { ...clean, kind: "conflict", files: ["a.ts"] } as const;
  const label = aPolicy({ merging: { blockLabels: ["hold"] } });
  const rows: readonly [string, ChangeState, readonly [string, boolean], string][] = [
    ["a check that has not run", ready({ checks: {} }), ["check `unit` queued", true], "checks-running"],
    ["one that waits", withCheck("queued"), ["check `unit` queued", true], "checks-running"],
    ["one that runs", withCheck("running"), ["check `unit` running", true], "checks-running"],
    ["a red one", withCheck("failed"), ["check `unit` failed", false], "ci-failed"],
    ["one that hung", withCheck("timed-out"), ["check `unit` timed out", false], "ci-failed"],
    [
      "one without set-up",
      withCheck("setup-failed"),
      ["check `unit` could not be set up", false],
      "check-setup-failed",
    ],
    [
      "one with an unknown result",
      withCheck("unknown"),
      ["check `unit` ended with unknown result", false],
      "check-setup-failed",
    ],
    ["one that was cancelled", withCheck("cancelled"), ["check `unit` was cancelled", false], "check-setup-failed"],
    ["no approval", ready({ reviews: [] }), ["needs 1 approval", false], "review-pending"],
    [
      "an approval of an older commit",
      ready({ reviews: [aReview({ head: "head0" })] }),
      ["needs 1 approval", false],
      "review-pending",
    ],
    ["a conflict", ready({ mergeability: conflict }), ["conflicts with main in a.ts", false], "conflict"],
    ["no try", ready({ mergeability: null }), ["checking for conflicts", true], "checks-running"],
    [
      "a try on another base",
      ready({ mergeability: { ...clean, baseHead: "b0" } }),
      ["checking for conflicts", true],
      "checks-running",
    ],
    [
      "a try of another commit",
      ready({ mergeability: { ...clean, head: "head0" } }),
      ["checking for conflicts", true],
      "checks-running",
    ],
    ["a label", ready({ labels: ["hold"] }), ["label `hold`", false], "blocked"],
    ["its end", ready({ phase: "closed" }), ["already closed", false], "closed"],
  ];
  it.each(rows)("%s", (_, change, blocker, word) => {
    expect(blockers(change, label)).toEqual([blocker]);
    expect(status(change, label)).toBe(word);
  });

  it("whoever requested changes, besides the missing approvals", () => {
    const change = ready({ reviews: [aReview({ verdict: "request-changes", body: { inline: "no" } })] });
    expect(blockers(change)).toEqual([
      ["ann requested changes", false],
      ["needs 1 approval", false],
    ]);
    expect(status(change)).toBe("changes-requested");
  });

  it("a second approval by the same person, if two are required", () => {
    const change = ready({ reviews: [aReview(), aReview({ id: "v2" })] });
    expect(blockers(change, aPolicy({ merging: { approvals: 2 } }))).toEqual([["needs 1 approval", false]]);
  });
});

describe("an optional check that is red", () => {
  const policy = aPolicy({ checks: { unit: aCheckRule(), flaky: aCheckRule({ required: false }) } });
  const checks = { unit: aCheckRun(), flaky: aCheckRun({ name: "flaky", state: "failed" }) };

  it.each([
    ["hides no review", ready({ checks, reviews: [] }), "review-pending", "needs 1 approval"],
    ["leaves an approved change mergeable", ready({ checks }), "mergeable", "approved and green"],
    [
      "comes after a required one that runs",
      ready({ checks: { ...checks, unit: aCheckRun({ state: "running" }) } }),
      "checks-running",
      "check `unit` running",
    ],
    [
      "comes after a required one that is red",
      ready({ checks: { ...checks, unit: aCheckRun({ state: "timed-out" }) } }),
      "ci-failed",
      "check `unit` timed out",
    ],
  ])("%s, and is mentioned", (_, change, word, evidence) => {
    expect(derive(change, policy)).toEqual({
      status: word,
      evidence: `${evidence}; optional check \`flaky\` failed`,
    });
  });

  it("is not mentioned once it is no longer configured", () => {
    expect(derive(ready({ checks, reviews: [] }))).toEqual({ status: "review-pending", evidence: "needs 1 approval" });
  });
});

describe("the status", () => {
  it("is not derived from the words of a label or a reason", () => {
    const policy = aPolicy({ merging: { blockLabels: ["needs-approval", "check it"] } });
    expect(status(ready({ labels: ["needs-approval"] }), policy)).toBe("blocked");
    expect(status(ready({ labels: ["check it"] }), policy)).toBe("blocked");
    const mergeability = { ...clean, kind: "unknown", reason: "no approval of git" } as const;
    expect(derive(ready({ mergeability }))).toEqual({
      status: "blocked",
      evidence: "mergeability unknown: no approval of git",
    });
  });

  it("shows the progress of a running check", () => {
    const change = withCheck("running");
    const during = (phase: "set-up" | "run" | null, elapsedMs: number): string =>
      derive(change, aPolicy(), { progress: { "demo/1/unit": { phase, elapsedMs } } }).evidence;
    expect(during("set-up", 40_900)).toBe("check `unit` running: set-up, 40 s");
    expect(during("set-up", 3000)).toBe("check `unit` running: set-up");
    expect(during("run", 125_000)).toBe("check `unit` running: 2 min");
    expect(during(null, 3000)).toBe("check `unit` running");
  });

  it("says that everything is paused once the merge was requested", () => {
    const mergeRequest = {
      by: "ann",
      strategy: "squash",
      deleteAfter: false,
      head: "head1",
      reason: null,
      files: [],
      notBefore: 0,
      holds: 0,
      at: 1,
    } as const;
    const paused = { fleet: { paused: true } };
    expect(derive(ready({ mergeRequest }), aPolicy(), paused)).toEqual({
      status: "merge-waits",
      evidence: "paused; `ao resume` continues",
    });
    expect(derive(ready(), aPolicy(), paused).status).toBe("mergeable");
    expect(derive(ready({ mergeRequest })).evidence).toBe("ann requested the merge");
  });

  it("is blocked while the project's configuration is unknown", () => {
    expect(deriveChangeStatus(aWorld({ projects: [aProject({ policy: null })] }), ready())).toEqual({
      status: "blocked",
      evidence: "the project's configuration is not loaded yet",
    });
  });
});

describe("required checks", () => {
  const checks = { unit: aCheckRule(), lint: aCheckRule({ required: false }), deploy: aCheckRule({ on: ["main"] }) };

  it("are those marked as required that run for pull requests", () => {
    expect(requiredChecks(aPolicy({ checks }))).toEqual(["unit"]);
  });

  it("are those that the policy lists, if it lists any", () => {
    expect(requiredChecks(aPolicy({ checks, merging: { checks: ["lint"] } }))).toEqual(["lint"]);
  });

  it.each([
    ["lost", "check `lost` is not configured"],
    ["deploy", "check `deploy` does not run on pull requests"],
  ])("that can never be green do not silently keep a merge waiting: %s", (name, text) => {
    expect(blockers(ready(), aPolicy({ checks, merging: { checks: [name] } }))).toEqual([[text, false]]);
  });
});
