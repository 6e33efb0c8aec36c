import { describe, expect, it } from "vitest";
import { afterEvents, aMessage, aQuestion, aSession } from "../../testing/builders.ts";
import type { SessionEvent } from "./events.ts";
import { evolveSession } from "./evolve.ts";

const requested: Extract<SessionEvent, { readonly type: "session.requested" }> = {
  type: "session.requested",
  id: "demo-fix-it",
  projectId: "demo",
  taskKey: "demo/~demo-fix-it",
  issue: null,
  title: "Fix it",
  role: "worker",
  agent: { plugin: "command", config: {} },
  runtime: { plugin: "process", config: {} },
  workspace: { plugin: "worktree", config: {} },
  input: "inbox",
  branch: "agent/fix-it",
  base: null,
  folder: "fix-it",
};

describe("the life of a session", () => {
  it("session.requested creates an empty queued session", () => {
    expect(evolveSession(undefined, requested, 5)).toMatchObject({
      phase: "queued",
      workspace: { state: "none", generation: 1 },
      run: { state: "none", n: 0 },
      messages: [],
      createdAt: 5,
    });
  });

  it("session.requested keeps the caller's shell; one from an older log has none", () => {
    const shell = { PATH: "/opt/node/bin:/bin" };
    expect(evolveSession(undefined, { ...requested, shell }, 5)?.shell).toEqual(shell);
    expect(evolveSession(undefined, requested, 5)).not.toHaveProperty("shell");
  });

  it("session.restore-requested replaces the caller's shell only if it includes one", () => {
    const shell = { PATH: "/bin" };
    const stopped = aSession({ phase: "stopped", shell });
    const newer = { PATH: "/opt/node/bin:/bin" };
    expect(evolveSession(stopped, { type: "session.restore-requested", shell: newer }, 5)?.shell).toEqual(newer);
    expect(evolveSession(stopped, { type: "session.restore-requested" }, 5)?.shell).toEqual(shell);
  });

  it("session.requested a second time changes nothing", () => {
    const session = aSession();
    expect(evolveSession(session, requested, 5)).toBe(session);
  });

  it("every other event without a session changes nothing", () => {
    expect(evolveSession(undefined, { type: "session.admitted" }, 5)).toBeUndefined();
  });

  it("session.admitted opens only a queued session", () => {
    expect(afterEvents(aSession({ phase: "queued" }), [{ type: "session.admitted" }]).phase).toBe("open");
    for (const phase of ["open", "stopping", "stopped"] as const) {
      expect(afterEvents(aSession({ phase }), [{ type: "session.admitted" }]).phase).toBe(phase);
    }
  });

  it("session.stop-requested leads to stopping, with the reason", () => {
    const stopping = afterEvents(aSession(), [{ type: "session.stop-requested", reason: "asked for" }]);
    expect(stopping).toMatchObject({ phase: "stopping", stopReason: "asked for" });
  });

  it("session.stop-requested does not affect a stopped session", () => {
    const stopped = aSession({ phase: "stopped", run: { state: "ended" } });
    expect(afterEvents(stopped, [{ type: "session.stop-requested", reason: "again" }]).phase).toBe("stopped");
  });

  it("session.stopped ends a session and its question", () => {
    const stopping = aSession({ phase: "stopping", question: aQuestion() });
    expect(afterEvents(stopping, [{ type: "session.stopped" }])).toMatchObject({
      phase: "stopped",
      question: null,
      activity: { state: "none" },
    });
  });

  it("updatedAt moves with each change and never back", () => {
    const session = aSession({ updatedAt: 5000 });
    expect(evolveSession(session, { type: "agent.finished", summary: "" }, 3000)?.updatedAt).toBe(5000);
    expect(evolveSession(session, { type: "agent.finished", summary: "" }, 6000)?.updatedAt).toBe(6000);
  });

  it.each([
    { type: "intent.recorded", id: "i", lane: "l", spec: { kind: "end-run", sessionId: "s", run: 1 } },
    { type: "intent.started", id: "i" },
    { type: "intent.finished", id: "i", outcome: "done" },
    { type: "intent.withdrawn", id: "i" },
  ] as const)("$type is history only", (event) => {
    const session = aSession();
    expect(evolveSession(session, event, 9)).toBe(session);
  });
});

describe("session.restore-requested", () => {
  const restore: SessionEvent = { type: "session.restore-requested" };

  it.each(["removed", "kept", "failed", "missing", "branch-missing"] as const)(
    "rebuilds a workspace that is %s as the next generation, with what was preserved",
    (state) => {
      const stopped = aSession({ phase: "stopped", stopReason: "x", workspace: { state }, run: { state: "ended" } });
      expect(afterEvents(stopped, [restore])).toMatchObject({
        phase: "queued",
        stopReason: null,
        workspace: { state: "none", generation: 2, restore: true, reason: null },
      });
    },
  );

  it("leaves a ready workspace alone, and resets the agent's failures", () => {
    const session = aSession({ run: { state: "ended", code: 1, failures: 5 } });
    const restored = afterEvents(session, [restore]);
    expect(restored).toMatchObject({ phase: "open", workspace: session.workspace, run: { failures: 0 } });
  });
});

describe("session.moved", () => {
  const process = { plugin: "process", config: {} };
  const tmux = { plugin: "tmux", config: {} };
  const away: SessionEvent = { type: "session.moved", runtime: tmux };
  const back: SessionEvent = { type: "session.moved", runtime: process };

  it("affects the next run: the current one stays where it was started", () => {
    const moved = afterEvents(aSession({ run: { failures: 4, quickEnds: 4 } }), [away]);
    expect(moved).toMatchObject({ runtime: tmux, movedFrom: process });
    expect(moved.run).toMatchObject({ state: "alive", runtime: process, failures: 0, quickEnds: 0 });
    const next = afterEvents(moved, [
      { type: "run.ended", run: 1, code: 0, evidence: "ended by ao" },
      { type: "run.starting", run: 2, messageId: null },
    ]);
    expect(next.run.runtime).toEqual(tmux);
  });

  it("knows the session's original runtime until it is back there, or stopped", () => {
    const moved = afterEvents(aSession(), [away]);
    expect(afterEvents(moved, [away]).movedFrom).toEqual(process);
    expect(afterEvents(moved, [back])).toMatchObject({ runtime: process, movedFrom: null });
    expect(afterEvents(moved, [{ type: "session.stopped" }])).toMatchObject({ runtime: process, movedFrom: null });
  });

  it("restarts an agent that exited by itself, and renews the attempts to end one that stays", () => {
    expect(afterEvents(aSession({ run: { state: "ended", code: 0 } }), [away]).run.state).toBe("none");
    expect(afterEvents(aSession({ run: { endFailures: 3 } }), [away]).run.endTries).toBe(6);
  });
});

describe("an agent's signals", () => {
  it("agent.reported sets the activity, and idle ends the turn", () => {
    const turn = { messageId: "m-1", text: { inline: "x" }, at: 1 };
    const working = afterEvents(aSession({ turn }), [{ type: "agent.reported", state: "working", note: "compiling" }]);
    expect(working).toMatchObject({ turn, activity: { state: "working", note: "compiling", at: 2000 } });
    expect(afterEvents(working, [{ type: "agent.reported", state: "idle", note: null }]).turn).toBeNull();
  });

  it("agent.reported with idle closes the question, and with anything else leaves it open", () => {
    const asked = afterEvents(aSession(), [
      { type: "agent.asked", id: "q-1", question: "Deploy?", choices: ["Yes"], run: 1 },
    ]);
    expect(afterEvents(asked, [{ type: "agent.reported", state: "idle", note: null }]).question).toBeNull();
    const working = afterEvents(asked, [{ type: "agent.reported", state: "working", note: null }]);
    expect(working.question).toMatchObject({ id: "q-1" });
  });

  it("question.withdrawn closes the question and withdraws an unsent answer", () => {
    const asked = afterEvents(aSession({ messages: [aMessage({ id: "m-a", kind: "answer", replyTo: "q-1" })] }), [
      { type: "agent.asked", id: "q-1", question: "Deploy?", choices: ["Yes"], run: 1 },
    ]);
    expect(afterEvents(asked, [{ type: "question.withdrawn", id: "q-0" }])).toEqual(asked);
    expect(afterEvents(asked, [{ type: "question.withdrawn", id: "q-1" }])).toMatchObject({
      question: null,
      activity: { state: "working" },
      messages: [{ id: "m-a", status: "withdrawn" }],
    });
  });

  it("agent.asked opens a question, agent.answered marks it, another answer does not", () => {
    const asked = afterEvents(aSession(), [
      { type: "agent.asked", id: "q-1", question: "Deploy?", choices: ["Yes"], run: 1 },
    ]);
    // As in older logs, without the other fields.
    const rest = { kind: "question", detail: null, descriptions: {}, freeText: false };
    expect(asked).toMatchObject({ question: { id: "q-1", answeredBy: null, ...rest }, activity: { state: "waiting" } });
    const answer = { type: "agent.answered", choice: "Yes", messageId: "m-a" } as const;
    expect(afterEvents(asked, [{ ...answer, questionId: "q-1" }]).question?.answeredBy).toBe("m-a");
    expect(afterEvents(asked, [{ ...answer, questionId: "q-0" }]).question?.answeredBy).toBeNull();
  });

  it("agent.used adds up", () => {
    const used = { type: "agent.used", inputTokens: 10, outputTokens: 5, costUsd: 0.5 } as const;
    const { usage } = afterEvents(aSession(), [used, used]);
    expect(usage).toMatchObject({ inputTokens: 20, outputTokens: 10, costUsd: 1 });
  });

  it("agent.finished ends the turn and counts as progress", () => {
    const session = aSession({ turn: { messageId: "m", text: { inline: "" }, at: 1 }, run: { failures: 3 } });
    expect(afterEvents(session, [{ type: "agent.finished", summary: "all done" }])).toMatchObject({
      summary: "all done",
      turn: null,
      run: { progressed: true, failures: 0 },
      activity: { state: "idle", note: "all done" },
    });
  });
});

describe("workspace events", () => {
  const created = {
    type: "workspace.created",
    generation: 1,
    path: "/w",
    branch: "b",
    head: "h",
    baseCommit: "base",
    restoredFrom: null,
    notes: ["n"],
  } as const;

  it.each([
    [{ type: "workspace.creating", generation: 1 }, { state: "creating" }],
    [created, { state: "ready", path: "/w", head: "h", notes: ["n"], reason: null }],
    [
      { type: "workspace.failed", generation: 1, reason: "no" },
      { state: "failed", reason: "no" },
    ],
    [
      { type: "workspace.vanished", generation: 1, what: "missing", evidence: "gone" },
      { state: "missing", reason: "gone" },
    ],
    [
      { type: "workspace.vanished", generation: 1, what: "branch-missing", evidence: "gone" },
      { state: "branch-missing", reason: "gone" },
    ],
    [
      { type: "workspace.reappeared", generation: 1 },
      { state: "ready", reason: null },
    ],
    [{ type: "workspace.branch-left", generation: 1, on: "main" }, { elsewhere: "main" }],
    [{ type: "workspace.branch-returned", generation: 1 }, { elsewhere: null }],
    [{ type: "workspace.relocated", generation: 1, path: "/new" }, { path: "/new" }],
    [
      { type: "workspace.removed", generation: 1, preservedRef: "refs/x" },
      { state: "removed", preservedRef: "refs/x" },
    ],
    [
      { type: "workspace.kept", generation: 1, reason: "a rebase" },
      { state: "kept", reason: "a rebase" },
    ],
  ] satisfies [SessionEvent, object][])("%o", (event, change) => {
    const before = aSession({ workspace: { reason: "before" } });
    expect(afterEvents(before, [event]).workspace).toMatchObject(change);
    const later = aSession({ workspace: { generation: 2 } });
    expect(evolveSession(later, event, 9)).toBe(later);
  });

  it("a restore keeps the base of the first creation, so that the diff shows all the work", () => {
    expect(afterEvents(aSession(), [created]).workspace.baseCommit).toBe("c0ffee");
    const first = aSession({ workspace: { baseCommit: null } });
    expect(afterEvents(first, [created]).workspace.baseCommit).toBe("base");
  });

  it("a removal with nothing to save keeps the ref of an earlier one", () => {
    const saved = aSession({ workspace: { preservedRef: "refs/1" } });
    const removed = afterEvents(saved, [{ type: "workspace.removed", generation: 1, preservedRef: null }]);
    expect(removed.workspace.preservedRef).toBe("refs/1");
  });
});

describe("a stopped session", () => {
  it.each([
    { type: "session.admitted" },
    { type: "session.stop-requested", reason: "" },
    { type: "session.stopped" },
    { type: "run.ended", run: 1, code: 1, evidence: "" },
    { type: "agent.asked", id: "q", question: "", choices: [], run: 1 },
    { type: "message.returned", id: "m-1", reason: "" },
    { type: "workspace.vanished", generation: 1, what: "missing", evidence: "" },
  ] satisfies SessionEvent[])("stays stopped through $type", (event) => {
    const stopped = aSession({ phase: "stopped", run: { state: "ended" }, messages: [aMessage()] });
    expect(afterEvents(stopped, [event]).phase).toBe("stopped");
  });
});
