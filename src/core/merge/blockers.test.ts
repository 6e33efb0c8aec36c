import { describe, expect, it } from "vitest";
import { aProject, aWorld } from "../../testing/builders.ts";
import { aChange, aCheckRule, aCheckRun, aPolicy } from "../../testing/change-builders.ts";
import type { ChangeState, CheckState, Review } from "../change/state.ts";
import { deriveChangeStatus } from "../change/status.ts";
import { findBlockers, requiredChecks } from "./blockers.ts";

const clean = { kind: "clean", head: "head1", baseHead: "b1", files: [], reason: null } as const;

function aReview(facts: Partial<Review> = {}): Review {
  return { id: "v1", author: "ann", verdict: "approve", body: null, head: "head1", at: 1000, ...facts };
}

/** Approved, green and clean against b1. */
function ready(facts: Partial<ChangeState> = {}): ChangeState {
  return aChange({ checks: { unit: aCheckRun() }, reviews: [aReview()], mergeability: clean, ...facts });
}

function blockers(change: ChangeState, policy = aPolicy()): readonly (readonly [string, boolean])[] {
  return findBlockers(change, policy, "b1").map(({ text, passes }) => [text, passes] as const);
}

function status(change: ChangeState, policy = aPolicy()): string {
  const projects = [aProject({ policy, baseHead: "b1" })];
  return deriveChangeStatus(aWorld({ projects, changes: [change] }), change).status;
}

function withCheck(state: CheckState): ChangeState {
  return ready({ checks: { unit: aCheckRun({ state }) } });
}

describe("a change that is approved, green and clean", () => {
  it("has nothing in its way", () => {
    expect(blockers(ready())).toEqual([]);
    expect(status(ready())).toBe("mergeable");
  });
});

describe("in the way stands", () => {
  const conflict = { ...clean, kind: "conflict", files: ["a.ts"] } as const;
  const label = aPolicy({ merging: { blockLabels: ["hold"] } });
  const rows: readonly [string, ChangeState, readonly [string, boolean], string][] = [
    ["a check that has not run", ready({ checks: {} }), ["check unit has not run yet", true], "checks-running"],
    ["one that waits", withCheck("queued"), ["check unit has not run yet", true], "checks-running"],
    ["one that runs", withCheck("running"), ["check unit is running", true], "checks-running"],
    ["a red one", withCheck("failed"), ["check unit failed", false], "ci-failed"],
    ["one that hung", withCheck("timed-out"), ["check unit did not end in time", false], "ci-failed"],
    ["one without set-up", withCheck("setup-failed"), ["check unit could not be set up", false], "check-setup-failed"],
    [
      "one of which nobody knows",
      withCheck("unknown"),
      ["check unit has no known result", false],
      "check-setup-failed",
    ],
    ["one that was cancelled", withCheck("cancelled"), ["check unit was cancelled", false], "check-setup-failed"],
    ["no approval", ready({ reviews: [] }), ["it needs 1 approval of this commit", false], "review-pending"],
    [
      "an approval of an older commit",
      ready({ reviews: [aReview({ head: "head0" })] }),
      ["it needs 1 approval of this commit", false],
      "review-pending",
    ],
    ["a conflict", ready({ mergeability: conflict }), ["it conflicts with main", false], "conflict"],
    ["no try", ready({ mergeability: null }), ["it is being tried against the base", true], "checks-running"],
    [
      "a try on another base",
      ready({ mergeability: { ...clean, baseHead: "b0" } }),
      ["it is being tried against the base", true],
      "checks-running",
    ],
    [
      "a try of another commit",
      ready({ mergeability: { ...clean, head: "head0" } }),
      ["it is being tried against the base", true],
      "checks-running",
    ],
    ["a label", ready({ labels: ["hold"] }), ["the label hold blocks it", false], "blocked"],
    ["its end", ready({ phase: "closed" }), ["it is closed", false], "closed"],
  ];
  it.each(rows)("%s", (_, change, blocker, word) => {
    expect(blockers(change, label)).toEqual([blocker]);
    expect(status(change, label)).toBe(word);
  });

  it("whoever asked for changes, besides the approvals that are missing", () => {
    const change = ready({ reviews: [aReview({ verdict: "request-changes", body: { inline: "no" } })] });
    expect(blockers(change)).toEqual([
      ["ann asked for changes", false],
      ["it needs 1 approval of this commit", false],
    ]);
    expect(status(change)).toBe("changes-requested");
  });

  it("a second approval of the same person, when two are asked for", () => {
    const change = ready({ reviews: [aReview(), aReview({ id: "v2" })] });
    expect(blockers(change, aPolicy({ merging: { approvals: 2 } }))).toEqual([
      ["it needs 1 approval of this commit", false],
    ]);
  });
});

describe("required checks", () => {
  const checks = { unit: aCheckRule(), lint: aCheckRule({ required: false }), deploy: aCheckRule({ on: ["main"] }) };

  it("are those marked so that run for pull requests", () => {
    expect(requiredChecks(aPolicy({ checks }))).toEqual(["unit"]);
  });

  it("are those that the policy names, when it names any", () => {
    expect(requiredChecks(aPolicy({ checks, merging: { checks: ["lint"] } }))).toEqual(["lint"]);
  });

  it.each([
    ["lost", "no check is named lost"],
    ["deploy", "check deploy does not run for pull requests"],
  ])("that can never be green do not keep a merge waiting in silence: %s", (name, text) => {
    expect(blockers(ready(), aPolicy({ checks, merging: { checks: [name] } }))).toEqual([[text, false]]);
  });
});
