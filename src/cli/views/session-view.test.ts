import { describe, expect, it } from "vitest";
import { aCheck, aProblem, aPull } from "../../../test/support/pull-request-views.ts";
import { anAction, anAttention, aSession } from "../../../test/support/session-views.ts";
import { completeAsked } from "../../core/question.ts";
import type { SessionDetailView } from "../../protocol/views/session.ts";
import { describeFate } from "../client/message-fate.ts";
import { judge } from "../commands/wait/judge-wait.ts";
import { describeWaiting } from "../commands/wait.ts";
import { renderSession } from "./session-detail.ts";
import { style } from "./style.ts";

const plain = style({});
const now = Date.parse("2026-01-01T01:00:00Z");

function aMessage(delivery: SessionDetailView["messages"][number]["delivery"], reason: string | null = null) {
  return { id: "m1", kind: "message", delivery, attempt: 1, bytes: 5, preview: null, reason, at: "" };
}

describe("a session in detail", () => {
  it("shows its pull request, its checks and its problems", () => {
    const problems = [aProblem({ attempts: 2, escalated: true })];
    const session = aSession({
      status: "ci-failed",
      agentStatus: "idle",
      pullRequests: [aPull({ checks: [aCheck("unit", "failed")] })],
      problems,
    });
    const lines = renderSession(session, { now, style: plain });
    expect(lines).toContain("  pr       #3 review-pending  needs 1 approval");
    expect(lines).toContain("  checks   unit failed");
    expect(lines).toContain("  problem  check unit failed; 2 sent to the agent; needs you");
    expect(lines).toContain("  agent    command (process), idle");
    expect(lines).toContain("  sandbox  none: the agent runs as you");
    expect(renderSession(aSession({ sandbox: "bubblewrap" }), { now, style: plain })).toContain(
      "  sandbox  bubblewrap",
    );
  });

  it.each<[string, Partial<NonNullable<SessionDetailView["untrusted"]>>, string]>([
    [
      "and what it still reaches",
      { onlyHosts: ["a.example", "b.example"] },
      "; network restricted to a.example, b.example",
    ],
    ["and that it reaches nothing", { onlyHosts: [] }, "; network restricted to no hosts"],
    ["and why it is not restricted", { notRestricted: "no sandbox" }, "; network not restricted: no sandbox"],
    ["and no more, if nothing is taken", {}, ""],
  ])("says that it has read untrusted text, %s", (_, facts, text) => {
    const read = { from: "mallory", via: null, at: "2026-01-01T00:30:00Z" };
    const untrusted = { ...read, onlyHosts: null, notRestricted: null, ...facts };
    const lines = renderSession(aSession({ untrusted }), { now, style: plain });
    expect(lines).toContain(`  trust    has read text from mallory, who is not trusted${text} (30m ago)`);
  });

  it("says that it is based on the work of a session that has read untrusted text", () => {
    const read = { from: "mallory", via: "app-lower", at: "2026-01-01T00:30:00Z" };
    const untrusted = { ...read, onlyHosts: null, notRestricted: null };
    expect(renderSession(aSession({ untrusted }), { now, style: plain })).toContain(
      "  trust    based on the work of app-lower, which has read text from mallory, who is not trusted (30m ago)",
    );
  });

  it("says that it was taken over, and how to hand it back", () => {
    const lines = renderSession(aSession({ runtime: "tmux", movedFrom: "process" }), { now, style: plain });
    expect(lines.join("\n")).toContain("command (tmux), taken over (`ao attach app-fix --takeover` hands it back)");
  });

  it("shows its question once, and for a long one where the rest is", () => {
    const detail = { format: "command", text: Array.from({ length: 50 }, (_, n) => `step ${n}`).join("\n") } as const;
    const asked = completeAsked<string>({
      kind: "permission",
      question: "It wants to run:",
      detail,
      choices: ["allow"],
    });
    const problem = { ...aProblem(), key: "agent-needs-input", text: "It wants to run: step 0" };
    const text = renderSession(
      aSession({
        ...{ status: "needs-input", evidence: "It wants to run: step 0 ⏎ step 1", problems: [problem] },
        question: { id: "q", ...asked },
      }),
      { now, style: plain },
    ).join("\n");
    expect(text.match(/It wants to run/g)).toHaveLength(1);
    expect(text).toContain("needs-input  waiting for your answer\n");
    expect(text).toContain("  │ step 39\n   1. allow\n  ao answer app-fix   (10 more lines there)");
  });

  it("explains how to answer its question", () => {
    const question = { id: "q", ...completeAsked<string>({ question: "May I?", choices: ["yes", "no"] }) };
    const text = renderSession(aSession({ question }), { now, style: plain }).join("\n");
    expect(text).toContain("\n  May I?\n   1. yes\n   2. no\n  ao answer app-fix");
  });

  it("shows messages that are not delivered, with the reason", () => {
    const messages = [aMessage("delivered"), aMessage("queued", "a person is typing")];
    const lines = renderSession(aSession({ messages }), { now, style: plain });
    expect(lines.filter((line) => line.includes("message"))).toEqual([
      "  message  queued: a person is typing (5 bytes, m1)",
    ]);
  });

  it("names the ref with saved work", () => {
    const workspace = { state: "removed", reason: null, preservedRef: "refs/ao/preserved/app-fix/1", notes: [] };
    const text = renderSession(aSession({ workspace }), { now, style: plain }).join("\n");
    expect(text).toContain("refs/ao/preserved/app-fix/1");
  });
});

it.each([
  ["delivered", null, "delivered"],
  ["queued", "the agent asks a question", "queued: the agent asks a question"],
  ["queued", null, "queued: not handed over yet"],
  ["queued", "A person is typing in the terminal.", "queued: a person is typing in the terminal"],
  ["unconfirmed", null, "unconfirmed: handed over, no receipt"],
  ["unconfirmed", "A person is typing in the terminal.", "unconfirmed: a person is typing in the terminal"],
  ["sending", null, "unconfirmed: handed over, no receipt"],
  ["sending", "A person is typing in the terminal.", "unconfirmed: a person is typing in the terminal"],
  ["unknown", null, "unknown: it may or may not have arrived"],
] as const)("a message that is %s (%s) is described as %s", (delivery, reason, text) => {
  expect(describeFate({ delivery, reason })).toBe(text);
});

describe("waiting for a session", () => {
  it.each([
    ["idle", "idle", "reached"],
    ["working", "idle", "waiting"],
    ["needs-input", "idle", "waiting"],
    ["failed", "idle", "failed"],
    ["stopped", "idle", "failed"],
    ["exited", "exited", "reached"],
    ["stopped", "exited", "reached"],
    ["exited", "stopped", "waiting"],
    ["stopped", "stopped", "reached"],
    ["exited", "idle", "failed"],
    ["idle", "pr", "waiting"],
    ["exited", "pr", "waiting"],
    ["stopped", "pr", "failed"],
    ["failed", "merged", "failed"],
  ] as const)("%s, wanted %s: %s", (status, goal, verdict) => {
    expect(judge(aSession({ status }), goal).kind).toBe(verdict);
  });

  it.each([
    ["open", "pr", "reached"],
    ["merged", "pr", "reached"],
    ["closed", "pr", "waiting"],
    ["open", "merged", "waiting"],
    ["merged", "merged", "reached"],
    ["closed", "merged", "waiting"],
  ] as const)("with a pull request that is %s, wanted %s: %s", (phase, goal, verdict) => {
    expect(judge(aSession({ status: "idle", pullRequests: [aPull({ phase })] }), goal).kind).toBe(verdict);
  });

  it("counts an agent as idle whatever its pull request needs", () => {
    expect(judge(aSession({ status: "review-pending", agentStatus: "idle" }), "idle").kind).toBe("reached");
  });

  it("waits for the merge of a stopped session's open pull request", () => {
    expect(judge(aSession({ status: "stopped", pullRequests: [aPull()] }), "merged").kind).toBe("waiting");
  });

  it.each([
    ["queued", "protocol", "waiting"],
    ["sending", "terminal", "waiting"],
    ["unconfirmed", "protocol", "waiting"],
    ["unconfirmed", "terminal", "reached"],
    ["unconfirmed", "hook", "reached"],
    ["delivered", "protocol", "reached"],
  ] as const)("an idle agent with a message that is %s, seen by %s, wanted idle: %s", (delivery, source, verdict) => {
    const session = aSession({ status: "idle", messages: [aMessage(delivery)], signalSource: source });
    expect(judge(session, "idle").kind).toBe(verdict);
  });

  it("needs a person once the agent is known to be idle without a commit", () => {
    const idle = { status: "idle", agentStatus: "idle" } as const;
    expect(judge(aSession({ ...idle, ahead: null }), "pr").kind).toBe("waiting");
    expect(judge(aSession({ ...idle, ahead: 2 }), "pr").kind).toBe("waiting");
    expect(judge(aSession({ ...idle, ahead: 0, messages: [aMessage("queued")] }), "pr").kind).toBe("waiting");
    expect(judge(aSession({ ...idle, id: "web-a", ahead: 0 }), "merged")).toEqual({
      kind: "needs-you",
      reason: "the agent is idle without a commit",
      act: 'ao send web-a "..."',
    });
    const actions = [anAction("commit", { sessionId: "web-a" })];
    const attention = anAttention("uncommitted", { text: "3 files not committed", actions });
    expect(judge(aSession({ ...idle, ahead: 0, attention }), "pr")).toEqual({
      kind: "needs-you",
      reason: "3 files not committed",
      act: 'ao commit web-a -m "..."',
    });
  });

  it("needs a person while the agent asks, unless the goal is already reached", () => {
    const deploy = { id: "q", ...completeAsked<string>({ question: "Deploy?", choices: ["yes", "no"] }) };
    const asking = aSession({ id: "web-a", status: "needs-input", question: deploy });
    const answered = aSession({ status: "needs-input", question: { ...deploy, answered: true } });
    expect(judge(answered, "pr").kind).toBe("waiting");
    expect(judge(asking, "idle")).toEqual({ kind: "needs-you", reason: "Deploy?", act: "ao answer web-a" });
    expect(judge({ ...asking, pullRequests: [aPull()] }, "pr").kind).toBe("reached");
  });

  it("says what it waits for, how long, and what the agent does", () => {
    const session = { id: "web-a", status: "working", activity: "Bash: npm test", evidence: "says so" };
    expect(describeWaiting(session, "pr", 80_000)).toBe(
      "waiting for web-a to open a pull request (1m) · working: Bash: npm test",
    );
    expect(describeWaiting({ ...session, activity: null, evidence: "working" }, "merged", 3000)).toBe(
      "waiting for web-a to be merged (3s) · working",
    );
  });
});
