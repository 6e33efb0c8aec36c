import { describe, expect, it } from "vitest";
import type { StoredText } from "../core/text.ts";
import { aProject, aSession, aWorld } from "../testing/builders.ts";
import { aChange, aCheckRule, aCheckRun, aPolicy, aProblem } from "../testing/change-builders.ts";
import { toPullRequestDetail, toPullRequestView } from "./pull-request-views.ts";
import { deriveShown, toSessionDetail, toSessionView } from "./views.ts";

const policy = aPolicy({
  checks: { unit: aCheckRule(), lint: aCheckRule({ required: false }), main: aCheckRule({ on: ["main"] }) },
});
const projects = [aProject({ policy, baseHead: "base1" })];
const clean = { kind: "clean", head: "head1", baseHead: "base1", files: [], reason: null } as const;
const textOf = async (text: StoredText): Promise<string> => ("inline" in text ? text.inline : "the long text");
const idle = { state: "idle", note: null, evidence: "the agent said so", at: 1000 } as const;

describe("a pull request", () => {
  it("shows the checks that ran and those that will, and which of them are required", () => {
    const change = aChange({ checks: { unit: aCheckRun() } });
    const view = toPullRequestView(change, aWorld({ projects, changes: [change] }));
    expect(view.checks.map(({ name, state, required }) => [name, state, required])).toEqual([
      ["unit", "passed", true],
      ["lint", "queued", false],
    ]);
  });

  it("omits checks that will never run", () => {
    const change = aChange({ phase: "closed", checks: { unit: aCheckRun() } });
    expect(toPullRequestView(change, aWorld({ projects, changes: [change] })).checks).toHaveLength(1);
  });

  it("shows what blocks its merge, and nothing once it is merged", () => {
    const change = aChange({ checks: { unit: aCheckRun({ state: "failed" }) }, mergeability: clean });
    const world = aWorld({ projects });
    expect(toPullRequestView(change, world).blockers).toEqual(["check `unit` failed", "needs 1 approval"]);
    expect(toPullRequestView({ ...change, phase: "merged" }, world).blockers).toEqual([]);
  });

  it("counts the approvals of exactly this commit", () => {
    const review = { id: "rv-1", author: "ada", verdict: "approve", body: null, head: "head1", at: 5 } as const;
    const world = aWorld({ projects });
    expect(toPullRequestView(aChange({ reviews: [review] }), world).approvals).toEqual(["ada"]);
    expect(toPullRequestView(aChange({ reviews: [review], head: "head2" }), world).approvals).toEqual([]);
  });

  it("is shown in full with every text loaded", async () => {
    const long = { blob: "abc", bytes: 9000, start: "the lo" };
    const change = aChange({
      body: long,
      checks: { unit: aCheckRun({ state: "failed", log: { inline: "boom" } }), lint: aCheckRun({ name: "lint" }) },
      reviews: [{ id: "rv-1", author: "ada", verdict: "request-changes", body: long, head: "head1", at: 5 }],
      threads: [
        {
          id: "rv-1.1",
          reviewId: "rv-1",
          path: "a.ts",
          line: 3,
          resolvedBy: null,
          comments: [{ id: "rv-1.1.1", author: "ada", byAgent: false, text: { inline: "why?" }, at: 5 }],
        },
      ],
      refusal: { reason: "it moved", head: "head1", at: 6 },
      problems: { "ci-failed:unit": aProblem({ sent: 1 }) },
    });
    const detail = await toPullRequestDetail(change, aWorld({ projects }), textOf);
    expect(detail).toMatchObject({ body: "the long text", logs: { unit: "boom" }, refusal: "it moved" });
    expect(detail.reviews[0]).toMatchObject({ author: "ada", body: "the long text" });
    expect(detail.threads[0]).toMatchObject({ path: "a.ts", line: 3, comments: [{ text: "why?" }] });
    expect(detail.problems).toMatchObject([{ id: "ci-failed:unit", attempts: 1, escalated: false }]);
    expect(Object.keys(detail.logs)).toEqual(["unit"]);
  });

  it("does not repeat why an older commit was rejected", async () => {
    const change = aChange({ refusal: { reason: "it moved", head: "head0", at: 6 } });
    expect((await toPullRequestDetail(change, aWorld({ projects }), textOf)).refusal).toBeNull();
  });
});

describe("a session with a pull request", () => {
  const green = { checks: { unit: aCheckRun() }, mergeability: clean };

  it.each([
    [
      "shows what the pull request needs when the agent is idle",
      aSession({ activity: idle }),
      {},
      "review-pending",
      "idle",
    ],
    [
      "shows what the pull request needs when the agent exited with code 0",
      aSession({ activity: idle, run: { state: "ended", code: 0, evidence: "exit code 0" } }),
      {},
      "review-pending",
      "idle",
    ],
    ["shows that the agent works", aSession(), {}, "working", "working"],
    [
      "shows that the agent crashed too often",
      aSession({ run: { state: "ended", code: 1, failures: 5, evidence: "exit code 1" } }),
      {},
      "exited",
      "error",
    ],
    [
      "shows an idle agent when the pull request is closed",
      aSession({ activity: idle }),
      { phase: "closed" },
      "idle",
      "idle",
    ],
  ] as const)("%s", (_name, session, facts, status, state) => {
    const changes = [aChange({ ...green, ...facts })];
    expect(deriveShown(session, aWorld({ projects, sessions: [session], changes }), { changes })).toMatchObject({
      status,
      state,
    });
  });

  it("is merged once it has stopped, and still shows where uncommitted work is", () => {
    const merged = {
      commit: "abcdef1234567",
      baseBefore: "base1",
      by: "ada",
      strategy: "squash",
      deleteAfter: false,
      at: 9,
    } as const;
    const change = aChange({ phase: "merged", merged });
    const stopped = aSession({ phase: "stopped", workspace: { state: "removed" } });
    const saved = aSession({
      phase: "stopped",
      workspace: { state: "removed", preservedRef: "refs/ao/preserved/x/1" },
    });
    const world = aWorld({ projects, changes: [change] });
    expect(deriveShown(stopped, world, { changes: [change] })).toEqual({
      status: "merged",
      state: "idle",
      evidence: "merged as abcdef1234",
    });
    expect(deriveShown(saved, world, { changes: [change] }).evidence).toMatch(
      /^merged as abcdef1234; .*refs\/ao\/preserved\/x\/1/,
    );
    expect(deriveShown(stopped, world, { changes: [aChange({ phase: "closed" })] }).status).toBe("stopped");
  });

  it("lists its pull requests and, in detail, their problems and what the agent does", async () => {
    const session = aSession({
      activity: idle,
      problems: { "agent-stuck": aProblem({ id: "agent-stuck", since: 1 }) },
    });
    const changes = [
      aChange({ phase: "closed", problems: {} }),
      aChange({ key: "demo/2", number: 2, ...green, problems: { "ci-failed:unit": aProblem() } }),
      aChange({ key: "demo/3", number: 3, sessionId: "another" }),
    ];
    const world = aWorld({ projects, sessions: [session], changes });
    expect(toSessionView(session, world).pullRequests.map(({ key }) => key)).toEqual(["demo/1", "demo/2"]);
    const detail = await toSessionDetail(session, world, async () => "");
    expect(detail).toMatchObject({ status: "review-pending", agentStatus: "idle" });
    expect(detail.problems.map(({ id }) => id)).toEqual(["agent-stuck", "ci-failed:unit"]);
  });
});
