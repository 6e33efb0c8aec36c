import { deriveCost } from "../../src/core/cost/cost.ts";
import type { DemoView } from "../../src/demo/demo-view.ts";
import type { EventView } from "../../src/protocol/views/event.ts";
import type { InboxView } from "../../src/protocol/views/inbox.ts";
import type { CheckView, PullRequestView, ReviewView } from "../../src/protocol/views/pull-request.ts";
import type { SessionView } from "../../src/protocol/views/session.ts";
import { anAttention } from "./session-views.ts";

const AT = "2026-01-01T00:00:00.000Z";

/** A session of the demo that works on an issue. */
export function demoSession(issue: string, changes: Partial<SessionView> = {}): SessionView {
  return {
    id: `garden-${issue}`,
    projectId: "garden",
    title: `Task ${issue}`,
    issue,
    role: "worker",
    status: "working",
    state: "working",
    evidence: "digging",
    activity: null,
    attention: null,
    uncommitted: 0,
    agent: "rehearsal",
    runtime: "process",
    branch: `agent/issue-${issue}`,
    workspacePath: null,
    lastSignalAt: null,
    signalSource: null,
    question: null,
    lines: null,
    blocks: [],
    problem: null,
    pullRequests: [],
    cost: deriveCost([], { own: {}, listed: {} }),
    createdAt: AT,
    updatedAt: AT,
    ...changes,
  };
}

/** The green pull request of an issue that waits for a review; its number is the issue's. */
export function demoChange(issue: string, changes: Partial<PullRequestView> = {}): PullRequestView {
  const head = changes.head ?? "aaaaaaaaaa";
  return {
    key: `garden/${issue}`,
    projectId: "garden",
    number: Number(issue),
    sessionId: `garden-${issue}`,
    issue,
    title: `Task ${issue}`,
    branch: `agent/issue-${issue}`,
    base: "main",
    head,
    phase: "open",
    status: "review-pending",
    evidence: "needs 1 approval",
    checks: [demoCheck({ head })],
    approvals: [],
    labels: [],
    lines: null,
    blockers: [],
    mergeCommit: null,
    openedAt: AT,
    updatedAt: AT,
    ...changes,
  };
}

/** A check that passed. */
export function demoCheck(changes: Partial<CheckView> = {}): CheckView {
  return {
    name: "tests",
    state: "passed",
    required: true,
    head: "aaaaaaaaaa",
    attempt: 1,
    code: 0,
    phase: null,
    startedAt: null,
    tookMs: 9,
    at: AT,
    ...changes,
  };
}

/** A question in the inbox. */
export function demoQuestion(issue: string, choices: readonly string[]): InboxView {
  const sessionId = `garden-${issue}`;
  return {
    ...anAttention("question"),
    id: `${sessionId}/question`,
    projectId: "garden",
    sessionId,
    pullRequest: null,
    canAcknowledge: false,
    text: "Which way?",
    choices,
    question: null,
    blocks: [],
    state: "open",
    snoozedUntil: null,
  };
}

/** The demo's own request for changes. */
export function demoRequest(head: string): ReviewView {
  return { id: "r1", author: "demo-reviewer", verdict: "request-changes", body: null, head, at: AT };
}

/** Everything together. */
export function demoView(changes: Partial<DemoView> = {}): DemoView {
  return { sessions: [], pullRequests: [], inbox: [], reviews: {}, ...changes };
}

/** An event, this many seconds after the start. */
export function demoEvent(stream: string, type: EventView["type"], data: object = {}, second = 0): EventView {
  const at = new Date(Date.parse(AT) + second * 1000).toISOString();
  return { position: 1, stream, type, at, text: type, data } as EventView;
}
