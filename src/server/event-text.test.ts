import { describe, expect, it } from "vitest";
import type { AnyEvent } from "../core/event.ts";
import { describeEvent } from "./event-text.ts";

const HEAD = "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d";
const LIMIT = new Date(2026, 10, 15, 18, 41).getTime();
const CHECK = { name: "unit", head: HEAD, attempt: 1, code: 1, log: null, fingerprint: "", tookMs: 3200 } as const;
const ESCALATED = { type: "problem.escalated", priority: "urgent", reminder: false } as const;

describe("an event is described in a short sentence", () => {
  it.each<readonly [string, AnyEvent]>([
    ["slot free, starting", { type: "session.admitted" }],
    ["creating worktree", { type: "workspace.creating", generation: 1 }],
    ["agent started", { type: "run.started", run: 1, pid: 7 }],
    ["agent restarted (run 2)", { type: "run.started", run: 2, pid: 8 }],
    ["agent exited: ended by SIGKILL", { type: "run.ended", run: 1, code: 137, evidence: "ended by SIGKILL" }],
    ["1 new commit (1a2b3c4d5e)", { type: "branch.seen", turn: 1, head: HEAD, ahead: 1 }],
    ["message delivered", { type: "message.accepted", id: "m1", by: "received" }],
    ["8.1k tokens in, 900 out", { type: "agent.used", inputTokens: 8100, outputTokens: 900, costUsd: 0 }],
    ["rate limited; next try 18:41: retry 4 of 10", { type: "agent.limited", until: LIMIT, reason: "retry 4 of 10" }],
    ["interrupted", { type: "agent.finished", summary: "interrupted" }],
    ["question withdrawn", { type: "question.withdrawn", id: "q1" }],
    [
      "check `unit` failed with exit code 1 on 1a2b3c4d5e after 3.2 s",
      { type: "check.finished", state: "failed", ...CHECK },
    ],
    ["sent failing check `unit` to the agent (attempt 1)", aReaction("ci-failed:unit")],
    ["the agent read text from mallory, who is not trusted", { type: "untrusted.read", from: "mallory" }],
    [
      "based on the work of web-1, whose agent read text from mallory, who is not trusted",
      { type: "untrusted.read", from: "mallory", via: "web-1" },
    ],
    ["problem: 3 files not committed", aProblemSeen("uncommitted", "3 files not committed")],
    ["#1 is approved and green", aProblemSeen("approved-and-green", "#1 is approved and green")],
    ["resolved: failing check `unit`", { type: "problem.gone", id: "ci-failed:unit", reason: "" }],
    ["resolved: requested changes", { type: "problem.gone", id: "changes-requested:rv-440bb11c", reason: "" }],
    [
      "notified you: agent needs input",
      { ...ESCALATED, id: "agent-needs-input", reason: "a person decides", messages: 0 },
    ],
    [
      "notified you: failing check `unit` (no luck)",
      { ...ESCALATED, id: "ci-failed:unit", reason: "no luck", messages: 2 },
    ],
  ])("%s", (sentence, event) => {
    expect(describeEvent(event)).toBe(sentence);
  });
});

it("names an event of a newer version by its type", () => {
  expect(describeEvent({ type: "agent.danced" } as unknown as AnyEvent)).toBe("agent.danced");
});

function aProblemSeen(key: string, text: string): AnyEvent {
  return { type: "problem.seen", id: key, key, occurrence: "1", text };
}

function aReaction(problem: string): AnyEvent {
  return { type: "reaction.sent", problem, occurrence: "1", attempt: 1, messageId: "r-1", head: HEAD, turns: 1 };
}
