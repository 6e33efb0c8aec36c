import { expect, it } from "vitest";
import { aProject, aWorld } from "../../testing/builders.ts";
import { aChange, aCheckRun, aPolicy, aProblem } from "../../testing/change-builders.ts";
import { newOnForge } from "./evolve-forge.ts";
import type { ChangeState } from "./state.ts";
import { describeStatus } from "./status-comment.ts";

const policy = aPolicy({ checks: {}, merging: { approvals: 1 } });

function statusOf(facts: Partial<ChangeState>, cost: string | null = null) {
  const change = aChange({ forge: newOnForge("h1"), head: "h1", sessionId: null, ...facts });
  const world = aWorld({ projects: [aProject({ id: change.projectId, policy })] });
  return describeStatus(world, change, cost);
}

it("shows state, what is missing, what was tried and the cost", () => {
  const problem = aProblem({ id: "ci-failed:build", text: "check `build` failed on h1", sent: 2 });
  const run = aCheckRun({ name: "build", head: "h1", state: "failed", ref: "1" });
  const text = statusOf({ checks: { build: run }, problems: { [problem.id]: problem } }, "$1.42")?.text;
  expect(text).toContain("| State | ci failed |");
  expect(text).toMatch(/\| Waiting for \| check `build` failed; needs 1 approval; .* \|/);
  expect(text).toContain("| Sent to the agent | check `build` failed on h1 (2 times) |");
  expect(text).toContain("| Cost | $1.42 |");
});

it("says why it was merged", () => {
  const check = {
    name: "build",
    isRequired: true,
    state: "passed",
    code: 0,
    commit: "c1",
    tree: "result",
    tookMs: 1,
  } as const;
  const rules = [{ rule: "approvals", verdict: "met", text: "approved by ann" } as const];
  const proof = { rules, checks: [check], approvals: ["ann"] };
  const merged = {
    commit: "c1",
    baseBefore: "b1",
    by: "ao",
    strategy: "squash",
    deleteAfter: false,
    proof,
    at: 1,
  } as const;
  expect(statusOf({ phase: "merged", merged })?.text).toContain(
    "| Merged because | check `build` passed (exit code 0) on c1, exactly what was merged; approvals: approved by ann |",
  );
});

it("stays the same while only the cost grows", () => {
  expect(statusOf({}, "$1.00")?.gist).toBe(statusOf({}, "$2.00")?.gist);
});

it("mentions nobody, and keeps foreign names inside their cell", () => {
  const name = "@octo/team | <!-- ao:status --> \n# big";
  const run = aCheckRun({ name, head: "h1", state: "failed", ref: "1" });
  const text = statusOf({ checks: { [name]: run } })?.text ?? "";
  expect(text).toContain("check `@\u200bocto/team \\| &lt;!-- ao:status --> # big` failed");
});

it("is null for a local pull request", () => {
  const change = aChange();
  expect(describeStatus(aWorld({ projects: [aProject({ id: change.projectId, policy })] }), change, null)).toBeNull();
});
