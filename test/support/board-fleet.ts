import type { NextAction } from "../../src/core/need/need.ts";
import type { FleetView } from "../../src/protocol/views/fleet.ts";
import type { SessionDetailView } from "../../src/protocol/views/session.ts";
import { aCheck, aPull } from "./pull-request-views.ts";
import { anAction, anAttention, aSession } from "./session-views.ts";

const TITLES = [
  "Keep the newlines of permission questions",
  "Retry failed uploads with backoff",
  "Sort the order list by due date, also when two are due on one day",
  "日本語の請求書に対応する 🧾",
  "Cache product images for a day",
  "Announce errors to screen readers",
  "Paginate orders by cursor",
];

const ACTIVITIES = [
  "Bash: npm test -- --runInBand src/orders",
  "Edit: src/account/address-list.tsx",
  "Read: migrations/0091_drop_address.sql",
  "thinking",
];

/** Sessions as in a real fleet: a few of each kind, and the rest working. */
export function boardSessions(count: number, now = Date.now()): readonly SessionDetailView[] {
  return Array.from({ length: count }, (_, n) => boardSession(n, now));
}

/** The rest of the listing that goes with them. */
export function boardFleet(changes: Partial<FleetView> = {}): FleetView {
  const costToday = {
    inputTokens: 1,
    cachedTokens: 0,
    outputTokens: 1,
    costUsd: 3.8,
    estimatedUsd: 0,
    unpricedTokens: 0,
  };
  return { paused: false, pausedProjects: [], costToday, position: 0, ...changes };
}

function boardSession(n: number, now: number): SessionDetailView {
  const at = new Date(now - (n + 1) * 97_000).toISOString();
  const number = 100 + n;
  const base: Partial<SessionDetailView> = {
    id: `shop-${number}`,
    projectId: "shop",
    issue: String(number),
    title: TITLES[n % TITLES.length] ?? "",
    agent: "claude-code",
    branch: `agent/issue-${number}`,
    workspacePath: `/work/shop/.worktrees/issue-${number}`,
    activity: ACTIVITIES[n % ACTIVITIES.length] ?? null,
    cost: { ...boardFleet().costToday, costUsd: ((n * 37) % 400) / 100 },
    createdAt: at,
    updatedAt: at,
  };
  return aSession({ ...base, ...kindOf(n, at) });
}

function kindOf(n: number, at: string): Partial<SessionDetailView> {
  const pull = (checks: readonly string[], changes = {}) => [
    aPull({ number: 200 + n, checks: checks.map((state, c) => aCheck(`check-${c}`, state)), ...changes }),
  ];
  const sessionId = `shop-${100 + n}`;
  const need = (kind: string, text: string, action: NextAction["action"], check: string | null = null) => ({
    attention: anAttention(kind, { text, actions: [anAction(action, { sessionId, check })], at }),
    activity: null,
  });
  switch (n % 12) {
    case 1: {
      const command = "echo tidy up\nrm -f license\ncat > notes.md <<EOF\none\n\ttwo\nEOF";
      return {
        status: "needs-input",
        state: "waiting",
        ...need("permission", `Claude Code wants to run:\n${command}`, "answer"),
        question: {
          id: `q-${n}`,
          kind: "permission",
          question: "Claude Code wants to run",
          detail: { format: "command", text: command },
          choices: ["allow", "allow always", "deny"],
          descriptions: { "allow always": "every command that begins with echo, in this session" },
          freeText: true,
        },
      };
    }
    case 2:
      return {
        status: "review-pending",
        state: "idle",
        ...need("review", "needs 1 approval of 9ad04be", "review"),
        pullRequests: pull(["passed", "passed"], { blockers: ["needs 1 approval"] }),
      };
    case 3:
      return {
        status: "checks-running",
        state: "idle",
        activity: null,
        evidence: "check unit (running, 41 s)",
        pullRequests: pull(["passed", "running"]),
      };
    case 5:
      return {
        status: "ci-failed",
        state: "idle",
        ...need("ci-failed", "check unit failed after 2 of 2 attempts", "log", "unit"),
        pullRequests: pull(["failed", "passed"]),
      };
    case 7:
      return { status: "idle", state: "idle", activity: null, evidence: "waiting for a message" };
    case 9:
      return {
        status: "queued",
        state: "idle",
        activity: null,
        evidence: "5 of 5 agents busy: shop-100, shop-104, shop-106",
      };
    default:
      return {};
  }
}
