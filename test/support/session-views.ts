import { deriveCost } from "../../src/core/cost/cost.ts";
import type { NextAction } from "../../src/core/need/need.ts";
import { needRank } from "../../src/protocol/need-order.ts";
import type { AttentionView } from "../../src/protocol/views/inbox.ts";
import type { QuestionView } from "../../src/protocol/views/question.ts";
import type { SessionDetailView } from "../../src/protocol/views/session.ts";

/** A session as the API gives it: its agent works on "Fix it". */
export function aSession(changes: Partial<SessionDetailView> = {}): SessionDetailView {
  return {
    id: "app-fix",
    projectId: "app",
    title: "Fix it",
    issue: null,
    role: "worker",
    status: "working",
    state: "working",
    evidence: "the agent said so",
    activity: null,
    attention: null,
    uncommitted: 0,
    agent: "command",
    runtime: "process",
    branch: "agent/fix",
    workspacePath: "/w/fix",
    lastSignalAt: null,
    signalSource: null,
    lines: null,
    blocks: [],
    problem: null,
    pullRequests: [],
    cost: deriveCost([], { own: {}, listed: {} }),
    createdAt: "2026-01-01T00:00:00Z",
    updatedAt: "2026-01-01T00:00:00Z",
    summary: null,
    question: null,
    messages: [],
    run: { n: 1, state: "alive", pid: 7, evidence: null },
    workspace: { state: "ready", reason: null, preservedRef: null, notes: [] },
    movedFrom: null,
    baseCommit: null,
    ahead: null,
    agentStatus: changes.status ?? "working",
    untrusted: null,
    problems: [],
    ...changes,
  };
}

/** A need of the session `app-fix`. */
export function anAttention(kind: string, changes: Partial<AttentionView> = {}): AttentionView {
  const rank = needRank(kind, 0);
  const when = { at: "2026-01-01T00:00:00Z", since: "2026-01-01T00:00:00Z" };
  return { id: `app-fix/${kind}`, kind, text: "", actions: [], rank, attempts: null, ...when, ...changes };
}

/** Something to do about a session. */
export function anAction(action: NextAction["action"], changes: Partial<NextAction> = {}): NextAction {
  return { action, sessionId: "app-fix", pullRequest: null, check: null, ...changes };
}

/** A question of the session `app-fix`. */
export function aQuestion(changes: Partial<QuestionView> = {}): QuestionView {
  return {
    ...{ id: "q-1", kind: "question", question: "Which color?", detail: null },
    ...{ choices: [], descriptions: {}, freeText: true },
    ...changes,
  };
}
