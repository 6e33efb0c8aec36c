import { describe, expect, it } from "vitest";
import { aCreate, aMessage, aProject, aQuestion, aSession, aTask, aWorld } from "../../testing/builders.ts";
import { decide } from "../decide.ts";
import type { Command, Decision } from "../input.ts";
import type { World } from "../world.ts";
import type { SessionState } from "./state.ts";

function given(world: World, command: Command): Decision {
  return decide(world, command, () => undefined, 2000);
}

function types(decision: Decision): readonly string[] {
  return decision.kind === "accepted" ? decision.events.map(({ event }) => event.type) : [decision.rejection.code];
}

describe("session.create", () => {
  it("claims the task, requests the session and queues its first message in one decision", () => {
    const decision = given(aWorld(), aCreate({ issue: "42", title: "Login fails" }));
    expect(decision).toMatchObject({
      kind: "accepted",
      result: { sessionId: "demo-42" },
      events: [
        { stream: "task:demo/42", event: { type: "task.claimed", sessionId: "demo-42", issue: "42" } },
        {
          stream: "session:demo-42",
          event: { type: "session.requested", id: "demo-42", branch: "agent/issue-42", folder: "issue-42" },
        },
        { stream: "session:demo-42", event: { type: "message.queued", id: "m-task", kind: "task" } },
      ],
    });
  });

  it("admits at once with `now`", () => {
    expect(types(given(aWorld(), aCreate({ now: true })))).toContain("session.admitted");
    expect(types(given(aWorld(), aCreate()))).not.toContain("session.admitted");
  });

  it("uses the requested branch", () => {
    const decision = given(aWorld(), aCreate({ branch: "feature/x" }));
    expect(decision).toMatchObject({ events: [{}, { event: { branch: "feature/x" } }, {}] });
  });

  it.each(["-m", "a..b", "x.lock", "a b", "a\u001b[2J", "a\u202eb", "HEAD"])(
    "is rejected for the branch %j",
    (branch) => {
      expect(types(given(aWorld(), aCreate({ branch })))).toEqual(["usage"]);
    },
  );

  it("gives a second session with the same title another name", () => {
    const decision = given(aWorld({ sessions: [aSession()] }), aCreate());
    expect(decision).toMatchObject({ kind: "accepted", result: { sessionId: "demo-fix-it-2" } });
  });

  it("is rejected for an unknown or removed project", () => {
    expect(types(given(aWorld({ projects: [] }), aCreate()))).toEqual(["project-unknown"]);
    expect(types(given(aWorld({ projects: [aProject({ removed: true })] }), aCreate()))).toEqual(["project-unknown"]);
  });

  it("is rejected for a task that another session holds, and names it", () => {
    const world = aWorld({ tasks: [aTask({ claimedBy: "demo-42" })] });
    expect(given(world, aCreate({ issue: "42" }))).toMatchObject({
      kind: "rejected",
      rejection: { code: "task-taken", data: { sessionId: "demo-42" } },
    });
  });

  it("is accepted for a released task", () => {
    expect(given(aWorld({ tasks: [aTask()] }), aCreate({ issue: "42" })).kind).toBe("accepted");
  });

  it("is rejected for a branch that a session works on, but not for a stopped session's", () => {
    const command = aCreate({ title: "Other", branch: "agent/fix-it" });
    expect(types(given(aWorld({ sessions: [aSession()] }), command))).toEqual(["branch-taken"]);
    expect(given(aWorld({ sessions: [aSession({ phase: "stopped" })] }), command).kind).toBe("accepted");
    const elsewhere = aSession({ projectId: "other" });
    expect(given(aWorld({ sessions: [elsewhere] }), command).kind).toBe("accepted");
  });
});

describe("session.send", () => {
  const send: Command = {
    type: "session.send",
    sessionId: "demo-fix-it",
    messageId: "m-1",
    text: { inline: "hello" },
    bytes: 5,
  };

  it.each(["queued", "open"] as const)("queues the message of a session that is %s", (phase) => {
    const decision = given(aWorld({ sessions: [aSession({ phase })] }), send);
    expect(decision).toMatchObject({
      result: { messageId: "m-1" },
      events: [{ event: { type: "message.queued", id: "m-1", kind: "message", replyTo: null, bytes: 5 } }],
    });
  });

  it.each(["stopping", "stopped"] as const)("is rejected for a session that is %s", (phase) => {
    expect(types(given(aWorld({ sessions: [aSession({ phase })] }), send))).toEqual(["session-state"]);
  });
});

describe("session.answer", () => {
  const answer = (choice: string, questionId?: string): Command => ({
    type: "session.answer",
    questionId,
    sessionId: "demo-fix-it",
    choice,
    messageId: "m-a",
  });
  const asking = aWorld({ sessions: [aSession({ question: aQuestion() })] });

  it.each([
    ["Yes", "Yes"],
    ["yes", "Yes"],
    ["2", "No"],
  ])("understands %j as %j", (written, choice) => {
    expect(given(asking, answer(written))).toMatchObject({
      result: { messageId: "m-a", choice },
      events: [
        { event: { type: "agent.answered", questionId: "q-1", choice, messageId: "m-a" } },
        { event: { type: "message.queued", id: "m-a", kind: "answer", replyTo: "q-1", text: { inline: choice } } },
      ],
    });
  });

  it("is rejected if it was for another question than the open one", () => {
    const world = aWorld({ sessions: [aSession({ question: aQuestion() })] });
    expect(given(world, answer("1", "q-0"))).toMatchObject({ rejection: { code: "conflict" } });
    expect(given(world, answer("1", "q-1"))).toMatchObject({ result: { choice: "Yes" } });
  });

  it("is a reason if the question accepts free text", () => {
    const question = aQuestion({ kind: "permission", choices: ["allow", "deny"], freeText: true });
    const world = aWorld({ sessions: [aSession({ question })] });
    expect(given(world, answer("no, use sed"))).toMatchObject({ result: { choice: "no, use sed" } });
    expect(given(world, answer("yes"))).toMatchObject({
      rejection: {
        message: '"yes" is not one of the choices.',
        hint: 'Answer with "allow" (1), "deny" (2) or any other text.',
      },
    });
  });

  it("accepts any text if the agent gave no choices", () => {
    const world = aWorld({ sessions: [aSession({ question: aQuestion({ choices: [] }) })] });
    expect(given(world, answer("whatever, 2"))).toMatchObject({ result: { choice: "whatever, 2" } });
  });

  it.each(["Maybe", "3", "0", ""])("is rejected for %j, which is not a choice", (written) => {
    expect(types(given(asking, answer(written)))).toEqual(["usage"]);
  });

  it("is rejected if no question is open, or it is already answered", () => {
    const answered = aSession({ question: aQuestion({ answeredBy: "m-0" }), messages: [aMessage({ id: "m-0" })] });
    expect(types(given(aWorld({ sessions: [aSession()] }), answer("Yes")))).toEqual(["question-unknown"]);
    expect(types(given(aWorld({ sessions: [answered] }), answer("Yes")))).toEqual(["question-unknown"]);
  });

  it("counts the bytes of the answer, not its characters", () => {
    const world = aWorld({ sessions: [aSession({ question: aQuestion({ choices: [] }) })] });
    expect(given(world, answer("größer"))).toMatchObject({ events: [{}, { event: { bytes: 8 } }] });
  });
});

describe("session.interrupt", () => {
  const interrupt: Command = { type: "session.interrupt", sessionId: "demo-fix-it", messageId: "m-i" };
  const on = (session: SessionState): Decision => given(aWorld({ sessions: [session] }), interrupt);
  const turn = { messageId: "m-1", text: { inline: "hello" }, at: 1 };
  const written = aMessage({ status: "written", run: 1 });

  it.each<[string, SessionState]>([
    ["a turn runs", aSession({ turn })],
    ["a question is open", aSession({ question: aQuestion() })],
    ["an agent that never confirms has a message", aSession({ messages: [written] })],
    [
      "the agent is working without our message",
      aSession({ run: { progressed: true }, activity: { state: "working" } }),
    ],
  ])("queues an interrupt when %s", (_, session) => {
    expect(on(session)).toMatchObject({
      result: { messageId: "m-i" },
      events: [{ event: { type: "message.queued", id: "m-i", kind: "interrupt", replyTo: null, bytes: 0 } }],
    });
  });

  it.each<[string, SessionState]>([
    ["the agent is idle", aSession({ run: { progressed: true }, activity: { state: "idle" } })],
    ["the agent was only started", aSession({ activity: { state: "working" } })],
    ["an agent that confirms has not taken up its message", aSession({ confirms: true, messages: [written] })],
    ["the message went to an earlier run", aSession({ run: { n: 2 }, messages: [written] })],
    ["the agent is gone in the middle of a turn", aSession({ turn, run: { state: "ended", code: 1 } })],
    ["the session stops", aSession({ turn, phase: "stopping" })],
    ["the session is stopped", aSession({ turn, phase: "stopped" })],
  ])("has nothing to interrupt when %s", (_, session) => {
    expect(types(on(session))).toEqual(["session-state"]);
  });

  it.each(["queued", "started"] as const)("is the same one while the first is %s", (status) => {
    const first = aMessage({ id: "m-first", kind: "interrupt", status });
    expect(on(aSession({ turn, messages: [first] }))).toEqual({
      kind: "accepted",
      events: [],
      result: { messageId: "m-first" },
    });
  });

  it("is a new one once the first has arrived", () => {
    const first = aMessage({ id: "m-first", kind: "interrupt", status: "accepted" });
    expect(on(aSession({ turn, messages: [first] }))).toMatchObject({ result: { messageId: "m-i" } });
  });

  it.each([
    ["terminal", /ao attach demo-fix-it.*Esc or Ctrl\+C.*ao stop/],
    ["file", /ao stop demo-fix-it/],
  ] as const)("is rejected for an agent of %s, with what to do instead", (input, hint) => {
    expect(on(aSession({ turn, input }))).toMatchObject({
      rejection: { code: "unsupported", hint: expect.stringMatching(hint) },
    });
  });
});

describe("session.stop", () => {
  const stop: Command = { type: "session.stop", sessionId: "demo-fix-it", reason: "asked for" };

  it.each(["queued", "open"] as const)("asks a session that is %s to stop", (phase) => {
    expect(types(given(aWorld({ sessions: [aSession({ phase })] }), stop))).toEqual(["session.stop-requested"]);
  });

  it.each(["stopping", "stopped"] as const)("does nothing when it is %s", (phase) => {
    expect(given(aWorld({ sessions: [aSession({ phase })] }), stop)).toEqual({
      kind: "accepted",
      events: [],
      result: { phase },
    });
  });
});

describe("session.restore with now", () => {
  const restore: Command = { type: "session.restore", sessionId: "demo-fix-it", now: true };

  it("starts a session that waits in the queue", () => {
    const world = aWorld({ sessions: [aSession({ phase: "queued" })], tasks: [aTask()] });
    expect(types(given(world, restore))).toEqual(["session.admitted"]);
    expect(given(world, { ...restore, now: false })).toMatchObject({ result: { nothingToDo: true } });
  });

  it("restores a stopped one past the queue", () => {
    const world = aWorld({ sessions: [aSession({ phase: "stopped" })], tasks: [aTask()] });
    expect(types(given(world, restore))).toEqual(["task.claimed", "session.restore-requested", "session.admitted"]);
  });
});

describe("session.restore", () => {
  const restore: Command = { type: "session.restore", sessionId: "demo-fix-it" };
  const stopped = aSession({
    phase: "stopped",
    taskKey: "demo/42",
    issue: "42",
    run: { state: "ended", code: 143 },
    workspace: { state: "removed" },
  });

  it("claims the task of a stopped session again", () => {
    const decision = given(aWorld({ sessions: [stopped], tasks: [aTask()] }), restore);
    expect(types(decision)).toEqual(["task.claimed", "session.restore-requested"]);
    const shell = { PATH: "/opt/node/bin" };
    const withShell = given(aWorld({ sessions: [stopped], tasks: [aTask()] }), { ...restore, shell });
    expect(withShell).toMatchObject({ events: [{}, { event: { type: "session.restore-requested", shell } }] });
  });

  it("is rejected if another session took the task meanwhile", () => {
    const world = aWorld({ sessions: [stopped], tasks: [aTask({ claimedBy: "demo-42-2" })] });
    expect(types(given(world, restore))).toEqual(["task-taken"]);
  });

  it("is rejected if another session works on its branch", () => {
    const world = aWorld({ sessions: [stopped, aSession({ id: "demo-other" })] });
    expect(types(given(world, restore))).toEqual(["branch-taken"]);
  });

  it("is rejected while it is still stopping", () => {
    const world = aWorld({ sessions: [aSession({ phase: "stopping" })] });
    expect(types(given(world, restore))).toEqual(["session-state"]);
  });

  it("is rejected if its project was removed", () => {
    const world = aWorld({ sessions: [stopped], projects: [aProject({ removed: true })] });
    expect(types(given(world, restore))).toEqual(["project-unknown"]);
  });

  it("has nothing to do for an intact session", () => {
    expect(given(aWorld({ sessions: [aSession()] }), restore)).toMatchObject({
      events: [],
      result: { nothingToDo: true },
    });
  });

  it.each([
    ["its workspace is missing", aSession({ workspace: { state: "missing" } })],
    ["its workspace failed", aSession({ workspace: { state: "failed" } })],
    ["its agent ended", aSession({ run: { state: "ended", code: 1 } })],
  ])("repairs an open session when %s, without a new claim", (_, session) => {
    expect(types(given(aWorld({ sessions: [session] }), restore))).toEqual(["session.restore-requested"]);
  });
});

describe("session.move", () => {
  const tmux = { plugin: "tmux", config: { quietMs: 1 } };
  const process = { plugin: "process", config: {} };
  const move = (runtime: typeof process | typeof tmux): Command => ({
    type: "session.move",
    sessionId: "demo-fix-it",
    runtime,
  });
  const paused = { projects: [aProject({ paused: true })] };

  it.each(["queued", "open"] as const)("moves a session that is %s, with the settings of the runtime", (phase) => {
    const decision = given(aWorld({ sessions: [aSession({ phase })] }), move(tmux));
    expect(decision).toMatchObject({ events: [{ event: { type: "session.moved", runtime: tmux } }] });
  });

  it("has nothing to do for a session that is already there", () => {
    expect(types(given(aWorld({ sessions: [aSession()] }), move(process)))).toEqual([]);
  });

  it.each(["stopping", "stopped"] as const)("is rejected when it is %s", (phase) => {
    expect(types(given(aWorld({ sessions: [aSession({ phase })] }), move(tmux)))).toEqual(["session-state"]);
  });

  it.each(["file", "terminal"] as const)("is rejected for an agent with the input %s", (input) => {
    expect(types(given(aWorld({ sessions: [aSession({ input })] }), move(tmux)))).toEqual(["unsupported"]);
  });

  it("is rejected during a pause, except for moving back", () => {
    const away = aSession({ runtime: tmux, movedFrom: process });
    expect(types(given(aWorld({ sessions: [aSession()], ...paused }), move(tmux)))).toEqual(["session-state"]);
    expect(types(given(aWorld({ sessions: [away], ...paused }), move(process)))).toEqual(["session.moved"]);
  });
});

describe("a command for a missing session", () => {
  it.each([
    { type: "session.send", sessionId: "nobody", messageId: "m", text: { inline: "" }, bytes: 0 },
    { type: "session.answer", sessionId: "nobody", choice: "1", messageId: "m" },
    { type: "session.interrupt", sessionId: "nobody", messageId: "m" },
    { type: "session.stop", sessionId: "nobody", reason: "" },
    { type: "session.restore", sessionId: "nobody" },
    { type: "session.move", sessionId: "nobody", runtime: { plugin: "tmux", config: {} } },
  ] as const)("is rejected: $type", (command) => {
    expect(types(given(aWorld(), command))).toEqual(["session-unknown"]);
  });
});

describe("session.cancel-message", () => {
  const cancel = { type: "session.cancel-message", sessionId: "demo-fix-it", messageId: "m-1", by: "ann" } as const;
  const withMessage = (facts: Parameters<typeof aMessage>[0]) =>
    aWorld({ sessions: [aSession({ messages: [aMessage(facts)] })] });

  it("withdraws a message that was not sent", () => {
    expect(given(withMessage({}), cancel)).toMatchObject({
      events: [{ event: { type: "message.withdrawn", id: "m-1", reason: "cancelled by ann" } }],
    });
  });

  it.each(["started", "written", "accepted", "unknown", "failed"] as const)("rejects one that is %s", (status) => {
    expect(types(given(withMessage({ status }), cancel))).toEqual(["conflict"]);
  });

  it.each(["task", "answer", "interrupt"] as const)("rejects %s, which is not a message", (kind) => {
    expect(types(given(withMessage({ kind }), cancel))).toEqual(["conflict"]);
  });

  it("can be requested twice, and rejects an unknown message", () => {
    expect(types(given(withMessage({ status: "withdrawn" }), cancel))).toEqual([]);
    expect(types(given(aWorld({ sessions: [aSession()] }), cancel))).toEqual(["message-unknown"]);
  });
});
