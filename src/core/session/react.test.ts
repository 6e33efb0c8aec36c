import { describe, expect, it } from "vitest";
import { afterEvents, aMessage, aQuestion, aSession } from "../../testing/builders.ts";
import { reactSession } from "./react.ts";
import { MAX_FAILED_RUNS, type SessionState } from "./state.ts";

const NOW = 100_000;
const S = "session:demo-fix-it";
const TMUX = { plugin: "tmux", config: {} };

function wanted(session: SessionState, now = NOW, paused = false): readonly string[] {
  return reactSession(session, { paused }, now).intents.map(({ id }) => id);
}

describe("a session wants", () => {
  it.each<[string, SessionState, readonly string[]]>([
    ["nothing while it is queued", aSession({ phase: "queued", workspace: { state: "none" } }), []],
    ["nothing once it is stopped", aSession({ phase: "stopped", messages: [aMessage()] }), []],
    [
      "its workspace first",
      aSession({ workspace: { state: "none" }, run: { state: "none", n: 0 } }),
      [`${S}/create-workspace/1/1`],
    ],
    [
      "the next generation after a restore",
      aSession({ workspace: { state: "none", generation: 2 } }),
      [`${S}/create-workspace/2/1`],
    ],
    ["nothing more while that is created", aSession({ workspace: { state: "creating" } }), []],
    ["nothing in a workspace that failed", aSession({ workspace: { state: "failed" }, messages: [aMessage()] }), []],
    ["nothing in a workspace that is gone", aSession({ workspace: { state: "missing" }, messages: [aMessage()] }), []],
    ["then its agent, even with nothing to send", aSession({ run: { state: "none", n: 0 } }), [`${S}/start-run/1/1`]],
    ["nothing more while that starts", aSession({ run: { state: "starting" }, messages: [aMessage()] }), []],
    ["nothing when everything is sent", aSession({ messages: [aMessage({ status: "written", run: 1 })] }), []],
    [
      "to continue although its branch is gone",
      aSession({ workspace: { state: "branch-missing" }, messages: [aMessage()] }),
      [`${S}/send-message/m-1@1/1`],
    ],
  ])("%s", (_, session, ids) => expect(wanted(session)).toEqual(ids));

  it("an agent whose folder vanished to end, before the folder is recreated, and then to start there", () => {
    const gone = aSession({ workspace: { state: "missing", reason: "/w is gone" }, run: { n: 3 } });
    const restored = afterEvents(gone, [{ type: "session.restore-requested" }]);
    expect(wanted(restored)).toEqual([`${S}/end-run/3/1`]);
    const ended = afterEvents(restored, [{ type: "run.ended", run: 3, code: 0, evidence: "ended by ao" }]);
    expect(wanted(ended)).toEqual([`${S}/create-workspace/2/1`]);
    const ready = { ...ended, workspace: { ...ended.workspace, state: "ready" } } as const;
    expect(wanted(ready)).toEqual([`${S}/start-run/4/1`]);
  });

  it("an agent whose session moved away to end, and then to start at the new place; nothing is sent in between", () => {
    const moved = afterEvents(aSession({ messages: [aMessage()] }), [{ type: "session.moved", runtime: TMUX }]);
    expect(wanted(moved)).toEqual([`${S}/end-run/1/1`]);
    expect(wanted(moved, NOW, true)).toEqual([]);
    const ended = afterEvents(moved, [{ type: "run.ended", run: 1, code: 0, evidence: "ended by ao" }]);
    expect(wanted(ended)).toEqual([`${S}/start-run/2/1`]);
    const there = afterEvents(ended, [
      { type: "run.starting", run: 2, messageId: null },
      { type: "run.started", run: 2, pid: 7 },
    ]);
    expect(wanted(there)).toEqual([`${S}/send-message/m-1@2/1`]);
  });

  it("to continue where it is if it moved back in time, or if its agent cannot be ended", () => {
    const moved = afterEvents(aSession({ messages: [aMessage()] }), [{ type: "session.moved", runtime: TMUX }]);
    const back = afterEvents(moved, [{ type: "session.moved", runtime: { plugin: "process", config: {} } }]);
    expect(wanted(back)).toEqual([`${S}/send-message/m-1@1/1`]);
    const failed = { type: "run.end-failed", run: 1, reason: "it stays" } as const;
    expect(wanted(afterEvents(moved, [failed, failed]))).toEqual([`${S}/end-run/1/3`]);
    expect(wanted(afterEvents(moved, [failed, failed, failed]))).toEqual([`${S}/send-message/m-1@1/1`]);
  });

  it("to wait for a starting run whose folder vanished", () => {
    const gone = aSession({ workspace: { state: "missing" }, run: { state: "starting" } });
    expect(wanted(afterEvents(gone, [{ type: "session.restore-requested" }]))).toEqual([]);
  });

  it("to restore what was preserved", () => {
    const session = aSession({ workspace: { state: "none", generation: 2, restore: true } });
    expect(reactSession(session, { paused: false }, NOW).intents[0]?.spec).toMatchObject({
      restore: true,
      generation: 2,
    });
  });
});

describe("messages", () => {
  const two = [aMessage({ id: "a" }), aMessage({ id: "b", attempt: 2 })];

  it("are sent one at a time, oldest first, so that none overtakes a requeued one", () => {
    expect(wanted(aSession({ messages: two }))).toEqual([`${S}/send-message/a@1/1`]);
    const [first, second] = two;
    if (first === undefined || second === undefined) throw new Error("two messages");
    const sent = aSession({ messages: [{ ...first, status: "written", run: 1 }, second] });
    expect(wanted(sent)).toEqual([`${S}/send-message/b@1/2`]);
  });

  it("wait behind one that is still on its way to an earlier run", () => {
    const late = aMessage({ id: "a", status: "started", run: 1 });
    const session = aSession({ run: { n: 2 }, messages: [late, aMessage({ id: "b" })] });
    expect(wanted(session)).toEqual([`${S}/send-message/a@1/1`]);
  });

  it("being sent stay wanted, so that the effect is not withdrawn", () => {
    const session = aSession({ messages: [aMessage({ status: "started", run: 1 })] });
    expect(wanted(session)).toEqual([`${S}/send-message/m-1@1/1`]);
  });

  it.each(["written", "accepted", "unknown", "failed", "withdrawn"] as const)("that are %s are not sent", (status) => {
    expect(wanted(aSession({ messages: [aMessage({ status, run: 1 })] }))).toEqual([]);
  });

  it("are typed one by one", () => {
    expect(wanted(aSession({ input: "terminal", messages: two }))).toEqual([`${S}/send-message/a@1/1`]);
  });

  it("get a process each, one after another, if the agent takes one message", () => {
    const idle = aSession({ input: "file", messages: two, run: { state: "ended", code: 1, n: 4 } });
    expect(reactSession(idle, { paused: false }, NOW).intents.map(({ spec }) => spec)).toEqual([
      { kind: "start-run", sessionId: "demo-fix-it", run: 5, messageId: "a" },
    ]);
    expect(wanted({ ...idle, run: { ...idle.run, state: "alive" } })).toEqual([]);
    expect(wanted({ ...idle, messages: [] })).toEqual([]);
  });

  it("wait while a question is open; only its answer is sent", () => {
    const answer = aMessage({ id: "m-a", kind: "answer", replyTo: "q-1" });
    const asking = aSession({ question: aQuestion(), messages: [...two, answer] });
    expect(wanted(asking)).toEqual([`${S}/send-message/m-a@1/1`]);
    expect(wanted({ ...asking, messages: two })).toEqual([]);
  });

  it("that were held wait for their time, and those behind them wait too", () => {
    const held = aSession({ messages: [aMessage({ id: "a", notBefore: NOW + 5 }), aMessage({ id: "b" })] });
    expect(reactSession(held, { paused: false }, NOW)).toEqual({ intents: [], wakeAt: NOW + 5 });
    expect(wanted(held, NOW + 5)).toEqual([`${S}/send-message/a@1/1`]);
  });

  it("have another identity for each run and each attempt", () => {
    const first = wanted(aSession({ messages: [aMessage()] }));
    const nextRun = wanted(aSession({ messages: [aMessage()], run: { n: 2 } }));
    const nextAttempt = wanted(aSession({ messages: [aMessage({ attempt: 2 })] }));
    expect(new Set([...first, ...nextRun, ...nextAttempt]).size).toBe(3);
  });
});

describe("an interrupt", () => {
  const interrupt = aMessage({ id: "i", kind: "interrupt" });
  const waiting = [aMessage({ id: "a" }), interrupt];
  const sent = [`${S}/send-message/i@1/1`];

  it.each<[string, SessionState, boolean]>([
    ["overtakes what waits", aSession({ messages: waiting }), false],
    ["is sent despite an open question", aSession({ question: aQuestion(), messages: waiting }), false],
    [
      "goes before its answer",
      aSession({ question: aQuestion(), messages: [aMessage({ kind: "answer" }), interrupt] }),
      false,
    ],
    ["is sent during a pause", aSession({ messages: waiting }), true],
    [
      "is sent to an agent whose folder is gone",
      aSession({ workspace: { state: "missing" }, messages: waiting }),
      false,
    ],
  ])("%s", (_, session, paused) => expect(wanted(session, NOW, paused)).toEqual(sent));

  it("releases the next message when it has arrived", () => {
    const arrived = aSession({ messages: [aMessage({ id: "a" }), { ...interrupt, status: "accepted", run: 1 }] });
    expect(wanted(arrived)).toEqual([`${S}/send-message/a@1/1`]);
  });

  it("holds nothing else back", () => {
    const session = aSession({ messages: waiting, turns: 1 });
    expect(wanted(session)).toEqual([...sent, `${S}/read-branch/1/1`]);
  });

  it("starts no agent", () => {
    const messages = [interrupt];
    expect(wanted(aSession({ messages, run: { state: "ended", code: 0, endedAt: NOW } }))).toEqual([]);
    expect(wanted(aSession({ messages, input: "file", run: { state: "ended" } }))).toEqual([]);
    expect(wanted(aSession({ messages, phase: "stopping" }))).toEqual([`${S}/end-run/1/1`]);
  });
});

describe("an agent that ended", () => {
  const over = (run: Partial<SessionState["run"]>, facts: Partial<SessionState> = {}): SessionState => {
    const { run: _, ...rest } = aSession();
    return aSession({ ...rest, ...facts, run: { state: "ended", code: 1, endedAt: NOW, ...run } });
  };
  const turn = { messageId: "m", text: { inline: "" }, at: 1 };

  it.each<[string, SessionState, boolean]>([
    ["with an error is restarted", over({}), true],
    ["in an unknown way is restarted", over({ code: null }), true],
    ["with code 0 and nothing to do is left alone", over({ code: 0 }), false],
    ["with code 0 and a message waiting is restarted", over({ code: 0 }, { messages: [aMessage()] }), true],
    ["with code 0 during a turn is restarted", over({ code: 0 }, { turn }), true],
    ["too often without progress waits for a person", over({ failures: MAX_FAILED_RUNS }), false],
    ["in a terminal is restarted like any other", over({}, { input: "terminal" }), true],
  ])("%s", (_, session, again) => expect(wanted(session)).toEqual(again ? [`${S}/start-run/2/1`] : []));

  it("too often does not come back because a message waits", () => {
    expect(wanted(over({ failures: MAX_FAILED_RUNS }, { messages: [aMessage()] }))).toEqual([]);
  });

  it.each([
    [0, 0],
    [1, 200],
    [2, 1000],
    [3, 5000],
    [4, 15_000],
  ])("after %i failures waits %i ms, and sets a wake-up", (failures, ms) => {
    const session = over({ failures });
    if (ms > 0)
      expect(reactSession(session, { paused: false }, NOW + ms - 1)).toEqual({ intents: [], wakeAt: NOW + ms });
    expect(wanted(session, NOW + ms)).toEqual([`${S}/start-run/2/1`]);
  });

  it("is restarted after a restore, however it ended", () => {
    for (const session of [over({ failures: MAX_FAILED_RUNS }), over({ code: 0 })]) {
      expect(wanted(afterEvents(session, [{ type: "session.restore-requested" }]))).toEqual([`${S}/start-run/2/1`]);
    }
  });
});

describe("while paused", () => {
  it.each([
    ["no workspace is created", aSession({ workspace: { state: "none" } })],
    ["no agent is started", aSession({ run: { state: "none" } })],
    ["nothing is sent", aSession({ messages: [aMessage()] })],
    ["no agent is restarted", aSession({ run: { state: "ended", code: 1, failures: 1, endedAt: NOW } })],
  ])("%s", (_, session) => {
    expect(reactSession(session, { paused: true }, NOW)).toEqual({ intents: [], wakeAt: null });
  });

  it("a session can still be stopped", () => {
    expect(wanted(aSession({ phase: "stopping" }), NOW, true)).toEqual([`${S}/end-run/1/1`]);
  });
});

describe("a session that stops", () => {
  it.each<[string, SessionState, readonly string[]]>([
    ["awaits the start of its run", aSession({ run: { state: "starting" } }), []],
    ["awaits its workspace", aSession({ workspace: { state: "creating" }, run: { state: "none" } }), []],
    ["ends its run first", aSession(), [`${S}/end-run/1/1`]],
    ["then removes its workspace", aSession({ run: { state: "ended" } }), [`${S}/remove-workspace/1/1`]],
    [
      "removes what is left of one that is gone",
      aSession({ run: { state: "none" }, workspace: { state: "missing" } }),
      [`${S}/remove-workspace/1/1`],
    ],
    [
      "removes one without its branch",
      aSession({ run: { state: "ended" }, workspace: { state: "branch-missing" } }),
      [`${S}/remove-workspace/1/1`],
    ],
    [
      "wants nothing more when it is removed",
      aSession({ run: { state: "ended" }, workspace: { state: "removed" } }),
      [],
    ],
    ["leaves a folder that was kept", aSession({ run: { state: "ended" }, workspace: { state: "kept" } }), []],
    [
      "sends nothing",
      aSession({ run: { state: "ended" }, workspace: { state: "failed" }, messages: [aMessage()] }),
      [],
    ],
  ])("%s", (_, session, ids) => expect(wanted({ ...session, phase: "stopping" })).toEqual(ids));
});
