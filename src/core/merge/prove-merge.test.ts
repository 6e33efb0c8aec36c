import { describe, expect, it } from "vitest";
import { aProject, aSession, aWorld } from "../../testing/builders.ts";
import { aChange, aCheckRule, aCheckRun, aPolicy } from "../../testing/change-builders.ts";
import type { ChangeState } from "../change/state.ts";
import { describeSpent, spentOn } from "../cost/spent.ts";
import { NO_TOKENS, type SessionUsage } from "../cost/usage.ts";
import type { ProjectState } from "../project/state.ts";
import { NEW_TRAIN } from "../train/state.ts";
import { describeProof, describeProvenCheck, type MergeProof } from "./proof.ts";
import { proveMerge } from "./prove-merge.ts";

const approval = { id: "v1", author: "ann", verdict: "approve", body: null, head: "head1", at: 1000 } as const;
const policy = aPolicy({ checks: { unit: aCheckRule(), lint: aCheckRule({ required: false }) } });
const ready: Partial<ChangeState> = {
  checks: { unit: aCheckRun(), lint: aCheckRun({ name: "lint", state: "failed", code: 2 }) },
  reviews: [approval],
  mergeability: { kind: "clean", head: "head1", baseHead: "base1", files: [], reason: null },
};

function prove(facts: Partial<ChangeState> = {}, project: Partial<ProjectState> = {}): MergeProof | null {
  const change = aChange({ ...ready, ...facts });
  const world = aWorld({ projects: [aProject({ policy, baseHead: "base1", ...project })], changes: [change] });
  return proveMerge(world, change, { commit: "merged1", now: 5000 });
}

/** The project while its train merges the pull request of the tests, alone or as the first of a batch. */
function inTrain({ isHeadTree, isBatch }: { readonly isHeadTree: boolean; readonly isBatch: boolean }) {
  const car = { key: "demo/1", head: "head1", strategy: "squash", commit: "merged1", isHeadTree, since: [] } as const;
  const second = { ...car, key: "demo/2", head: "head2", commit: "merged2", isHeadTree: false };
  const built = isBatch ? [car, second] : [car];
  const run = aCheckRun({ head: isBatch ? "merged2" : "merged1" });
  return {
    train: { ...NEW_TRAIN, batch: { number: 1, base: "base1", cars: built, built, at: 1000 } },
    commitChecks: isHeadTree ? {} : { [run.head]: { unit: run } },
  };
}

describe("the proof of a merge", () => {
  it("has each rule with its verdict, each check with its exit code, and who approved", () => {
    const proof = prove();
    expect(proof?.rules).toContainEqual({ rule: "approvals", verdict: "met", text: "approved by ann" });
    expect(proof?.rules.every(({ verdict }) => verdict === "met")).toBe(true);
    expect(proof?.approvals).toEqual(["ann"]);
    expect(proof?.checks.map((check) => `${check.name} ${describeProvenCheck(check)}`)).toEqual([
      "unit passed (exit code 0) on head1, the head of its branch",
      "lint failed (exit code 2) on head1, the head of its branch (optional)",
    ]);
  });

  it.each([
    ["on the merged commit", { isHeadTree: false, isBatch: false }, "on merged1, exactly what was merged"],
    ["on a head with the same files", { isHeadTree: true, isBatch: false }, "on head1, exactly what was merged"],
    ["on the last of a batch", { isHeadTree: false, isBatch: true }, "on merged2, the last commit of its batch"],
  ])("says that a check ran %s", (_name, train, text) => {
    const unit = prove({}, inTrain(train))?.checks.find(({ name }) => name === "unit");
    expect(unit === undefined ? "" : describeProvenCheck(unit)).toBe(`passed (exit code 0) ${text}`);
  });

  it("has the reason of an override, and which rules it overrode", () => {
    const asked = { by: "ann", strategy: "squash", deleteAfter: false, reason: null, files: [], holds: 0 } as const;
    const mergeRequest = { ...asked, head: "head1", notBefore: 0, override: "production is down", at: 2000 };
    const proof = prove({ reviews: [], mergeRequest });
    expect(proof?.override).toBe("production is down");
    expect(proof?.rules).toContainEqual({ rule: "approvals", verdict: "overridden", text: "needs 1 approval" });
    expect(describeProof(proof as MergeProof)).toMatch(/^overridden: production is down; check `unit` passed/);
  });
});

describe("what a pull request cost", () => {
  const usage = (costUsd: number, reason?: "fixes"): SessionUsage => {
    const part = { day: 1, model: null, costUsd, unpaid: NO_TOKENS, ...NO_TOKENS, ...(reason && { reason }) };
    return { ...NO_TOKENS, costUsd, paysApart: false, parts: [part] };
  };
  const task = { taskKey: "demo/7", issue: "7" };
  const change = aChange({ sessionId: "demo-7" });

  it("counts fixes and discarded attempts at the same task as wasted", () => {
    const own = usage(1);
    const parts = [...own.parts, ...usage(0.25, "fixes").parts];
    const sessions = [
      aSession({ id: "demo-7", ...task, usage: { ...own, parts } }),
      aSession({ id: "demo-7-first", ...task, phase: "stopped", usage: usage(0.5) }),
      aSession({ id: "demo-8", taskKey: "demo/8", issue: "8", phase: "stopped", usage: usage(9) }),
    ];
    const spent = spentOn(aWorld({ sessions, changes: [change] }), change);
    expect(spent === null ? "" : describeSpent(spent)).toBe(
      "$1.75, wasted: $0.25 on fixes, $0.50 on discarded attempts",
    );
  });

  it("is not known for a pull request whose session used nothing", () => {
    expect(spentOn(aWorld({ sessions: [aSession({ id: "demo-7", ...task })], changes: [change] }), change)).toBeNull();
  });
});
