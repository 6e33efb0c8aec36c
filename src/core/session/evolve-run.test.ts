import { describe, expect, it } from "vitest";
import { afterEvents, aMessage, aQuestion, aSession } from "../../testing/builders.ts";
import type { SessionEvent } from "./events.ts";
import type { SessionState } from "./state.ts";

const ended = (code: number | null, run = 1): SessionEvent => ({ type: "run.ended", run, code, evidence: "seen" });
const sent = aMessage({ status: "written", run: 1 });
const turn = { messageId: "m-0", text: { inline: "the task" }, at: 1 };

describe("a run", () => {
  it("run.starting starts the next run with a clean record, but keeps the count of failures", () => {
    const before = aSession({ run: { state: "ended", code: 1, evidence: "x", failures: 2, progressed: true } });
    expect(afterEvents(before, [{ type: "run.starting", run: 2, messageId: null }]).run).toEqual({
      state: "starting",
      n: 2,
      runtime: { plugin: "process", config: {} },
      pid: null,
      messageId: null,
      code: null,
      evidence: null,
      startedAt: 2000,
      endedAt: null,
      progressed: false,
      failures: 2,
      quickEnds: 0,
      endFailures: 0,
      endTries: 3,
    });
  });

  it("run.started is alive, once", () => {
    const starting = aSession({ run: { state: "starting", pid: null } });
    const started: SessionEvent = { type: "run.started", run: 1, pid: 7 };
    expect(afterEvents(starting, [started]).run).toMatchObject({ state: "alive", pid: 7 });
    expect(afterEvents(starting, [{ ...started, run: 2 }])).toBe(starting);
    expect(afterEvents(starting, [ended(1), started]).run.state).toBe("ended");
  });

  it.each<readonly [string, Parameters<typeof aSession>[0], string]>([
    ["a message waits", { messages: [aMessage()] }, "working"],
    ["a turn is open", { turn: { messageId: "m", text: { inline: "go" }, at: 1 } }, "working"],
    ["it was started for a message", { run: { messageId: "m" } }, "working"],
    ["nothing is open", {}, "idle"],
    ["only finished messages are there", { messages: [aMessage({ status: "accepted" })] }, "idle"],
  ])("run.started when %s", (_, facts, state) => {
    const starting = aSession({ ...facts, run: { ...facts?.run, state: "starting", pid: null } });
    expect(afterEvents(starting, [{ type: "run.started", run: 1, pid: 7 }]).activity.state).toBe(state);
  });

  it("run.ended keeps how it ended, and the first end counts", () => {
    const over = afterEvents(aSession(), [ended(3), ended(0)]);
    expect(over.run).toMatchObject({ state: "ended", pid: null, code: 3, evidence: "seen", endedAt: 2000 });
  });

  it.each(["starting", "alive"] as const)(
    "run.ended of one that is %s is no failure if the session moved away",
    (state) => {
      const written = aMessage({ status: "written", run: 1, attempt: 3 });
      const session = aSession({ messages: [written], turn, run: { state, startedAt: 2000 } });
      const moved = afterEvents(session, [{ type: "session.moved", runtime: { plugin: "tmux", config: {} } }]);
      for (const code of [0, 143, null]) {
        const over = afterEvents(moved, [ended(code)]);
        expect(over).toMatchObject({ run: { state: "none", failures: 0, quickEnds: 0 }, turn });
        expect(over.messages).toMatchObject([{ status: "queued", attempt: 4 }]);
      }
    },
  );

  it("run.ended of another run changes nothing", () => {
    const session = aSession();
    expect(afterEvents(session, [ended(1, 2)])).toBe(session);
  });
});

describe("the end of a run", () => {
  it("closes the question and withdraws a pending answer, because the next run asks again", () => {
    const asking = aSession({
      question: aQuestion({ answeredBy: "m-a" }),
      messages: [aMessage({ id: "m-a", kind: "answer", replyTo: "q-1" })],
    });
    const over = afterEvents(asking, [ended(1)]);
    expect(over.question).toBeNull();
    expect(over.messages).toMatchObject([{ id: "m-a", status: "withdrawn" }]);
  });

  it("withdraws an unsent interrupt: it is not for the next run", () => {
    const over = afterEvents(aSession({ messages: [aMessage({ kind: "interrupt" })], turn }), [ended(1)]);
    expect(over).toMatchObject({ messages: [{ status: "withdrawn", reason: "seen" }], turn });
  });

  it("requeues what the agent did not confirm, as the next attempt", () => {
    const over = afterEvents(aSession({ messages: [sent] }), [ended(1)]);
    expect(over.messages).toMatchObject([{ id: "m-1", status: "queued", attempt: 2, run: null }]);
    expect(over.messages[0]?.text).toEqual({ inline: "hello" });
  });

  it("with code 0 also requeues what the agent did not confirm: its input may have been cut", () => {
    const over = afterEvents(aSession({ messages: [sent], turn }), [ended(0)]);
    expect(over).toMatchObject({ messages: [{ status: "queued", attempt: 2 }], turn });
  });

  it("with code 0 for the third time leaves it to a person whether the message was handled", () => {
    const third = { ...sent, attempt: 3 };
    expect(afterEvents(aSession({ messages: [third] }), [ended(0)]).messages).toMatchObject([{ status: "unknown" }]);
    expect(afterEvents(aSession({ messages: [third] }), [ended(1)]).messages).toMatchObject([{ status: "queued" }]);
  });

  it.each([
    ["accepted", aMessage({ status: "accepted", run: 1 }), aSession()],
    ["in its effect", aMessage({ status: "started", run: 1 }), aSession()],
    ["typed", sent, aSession({ input: "terminal" })],
    ["of another run", aMessage({ status: "written", run: 0 }), aSession()],
  ] as const)("leaves a message alone that is %s", (_, message, session) => {
    expect(afterEvents({ ...session, messages: [message] }, [ended(1)]).messages).toEqual([message]);
  });

  it("keeps the open turn of a long-lived agent only", () => {
    expect(afterEvents(aSession({ turn }), [ended(1)]).turn).toEqual(turn);
    expect(afterEvents(aSession({ turn, input: "file" }), [ended(1)]).turn).toBeNull();
    expect(afterEvents(aSession({ turn, input: "terminal" }), [ended(1)]).turn).toBeNull();
  });

  it("of a one-message process with a non-zero code is an error that a person sees", () => {
    expect(afterEvents(aSession({ input: "file" }), [ended(3)]).activity.state).toBe("errored");
    expect(afterEvents(aSession({ input: "file" }), [ended(0)]).activity.state).toBe("none");
    expect(afterEvents(aSession(), [ended(3)]).activity.state).toBe("none");
  });
});

describe("the count of failed runs", () => {
  it.each<[string, SessionState, number | null, number]>([
    ["increases after a crash", aSession({ run: { failures: 1 } }), 1, 2],
    ["increases if the end was not seen", aSession({ run: { failures: 1 } }), null, 2],
    ["increases if it exits with open work", aSession({ messages: [aMessage()], run: { failures: 1 } }), 0, 2],
    ["is reset after progress", aSession({ run: { failures: 1, progressed: true } }), 1, 0],
    ["is reset after a long life", aSession({ run: { failures: 1, startedAt: -60_000 } }), 1, 0],
    ["is reset if it exits with nothing to do", aSession({ run: { failures: 1 } }), 0, 0],
    [
      "is reset if it exits with a pending interrupt",
      aSession({ messages: [aMessage({ kind: "interrupt" })], run: { failures: 1 } }),
      0,
      0,
    ],
  ])("%s", (_, session, code, failures) => {
    expect(afterEvents(session, [ended(code)]).run.failures).toBe(failures);
  });
});
