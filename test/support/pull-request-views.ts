import type { ProblemOfView } from "../../src/protocol/views/problem.ts";
import type { CheckView, PullRequestDetailView } from "../../src/protocol/views/pull-request.ts";

/** A pull request that waits for its review. */
export function aPull(changes: Partial<PullRequestDetailView> = {}): PullRequestDetailView {
  return {
    key: "app/3",
    projectId: "app",
    number: 3,
    sessionId: "app-fix",
    issue: null,
    title: "Fix it",
    branch: "agent/fix",
    base: "main",
    head: "1234567890abcdef",
    phase: "open",
    status: "review-pending",
    evidence: "needs 1 approval",
    checks: [],
    approvals: [],
    labels: [],
    lines: null,
    blockers: ["needs 1 approval"],
    mergeCommit: null,
    openedAt: "2026-01-01T00:00:00Z",
    updatedAt: "2026-01-01T00:00:00Z",
    body: null,
    reviews: [],
    threads: [],
    problems: [],
    mergeability: null,
    mergeRequest: null,
    refusal: null,
    logs: {},
    rules: [],
    ...changes,
  };
}

/** A check that ended after a second. */
export function aCheck(name: string, state = "passed"): CheckView {
  return {
    name,
    state,
    required: true,
    head: "1234567890abcdef",
    attempt: 1,
    code: 0,
    phase: null,
    startedAt: null,
    tookMs: 1000,
    at: "2026-01-01T00:00:00Z",
  };
}

/** A failed check that nobody was notified about yet. */
export function aProblem(changes: Partial<ProblemOfView> = {}): ProblemOfView {
  return {
    id: "ci-failed:unit",
    key: "ci-failed",
    text: "check unit failed",
    attempts: 0,
    attemptsAllowed: null,
    escalatesAt: null,
    escalated: false,
    acknowledged: false,
    since: "2026-01-01T00:00:00Z",
    ...changes,
  };
}
