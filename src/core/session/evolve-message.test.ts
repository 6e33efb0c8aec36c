import { describe, expect, it } from "vitest";
import { afterEvents, aMessage, aQuestion, aSession } from "../../testing/builders.ts";
import type { SessionEvent } from "./events.ts";
import { type Message, REMEMBERED_MESSAGES } from "./state.ts";

const queued = (id: string): SessionEvent => ({
  type: "message.queued",
  id,
  kind: "message",
  replyTo: null,
  text: { inline: "hello" },
  bytes: 5,
});

function one(message: Partial<Message>, event: SessionEvent): Message | undefined {
  return afterEvents(aSession({ messages: [aMessage(message)] }), [event]).messages[0];
}

describe("message events", () => {
  it("a late receipt does not hide what the agent already does", () => {
    const facts = { state: "working", note: "npm test", evidence: "the agent reported it" } as const;
    const received: SessionEvent = { type: "message.accepted", id: "m-1", by: "received" };
    const session = aSession({ messages: [aMessage({ status: "written" })], activity: facts });
    expect(afterEvents(session, [received]).activity).toMatchObject(facts);
    const idle = { ...session, activity: { ...session.activity, state: "idle" as const } };
    expect(afterEvents(idle, [received]).activity).toMatchObject({ state: "working", note: null });
  });

  it("message.queued adds it at the end, once", () => {
    const session = afterEvents(aSession(), [queued("m-1"), queued("m-2"), queued("m-1")]);
    const preview = "hello";
    expect(session.messages).toEqual([aMessage({ preview, at: 2000 }), aMessage({ id: "m-2", preview, at: 2000 })]);
  });

  it.each([
    [
      { type: "message.started", id: "m-1", run: 2, attempt: 3 },
      { status: "started", run: 2, attempt: 3, reason: null },
    ],
    [
      { type: "message.written", id: "m-1", run: 2 },
      { status: "written", run: 2 },
    ],
    [
      { type: "message.held", id: "m-1", reason: "a person types", notBefore: 9 },
      { status: "queued", run: null, attempt: 1, notBefore: 9, reason: "a person types" },
    ],
    [
      { type: "message.returned", id: "m-1", reason: "died" },
      { status: "queued", run: null, attempt: 2, reason: "died" },
    ],
    [
      { type: "message.unknown", id: "m-1", reason: "who knows" },
      { status: "unknown", reason: "who knows", text: { inline: "hello" } },
    ],
    [
      { type: "message.failed", id: "m-1", reason: "no" },
      { status: "failed", reason: "no", text: null },
    ],
    [
      { type: "message.accepted", id: "m-1", by: "received" },
      { status: "accepted", text: null, reason: null },
    ],
    [
      { type: "message.accepted", id: "m-1", by: "exit" },
      { status: "accepted", text: null, reason: null },
    ],
  ] satisfies [SessionEvent, Partial<Message>][])("%o", (event, change) => {
    expect(one({ status: "started", run: 1, reason: "before" }, event)).toMatchObject(change);
    const accepted = aMessage({ status: "accepted", text: null });
    expect(one(accepted, event)).toEqual(accepted);
    const other = aSession({ messages: [aMessage({ id: "m-other" })] });
    expect(afterEvents(other, [event])).toBe(other);
  });

  it("a receipt starts a turn, is progress, and shows that this agent confirms", () => {
    const session = aSession({ messages: [aMessage({ status: "written", run: 1 })], run: { failures: 3 } });
    expect(afterEvents(session, [{ type: "message.accepted", id: "m-1", by: "received" }])).toMatchObject({
      confirms: true,
      turn: { messageId: "m-1", text: { inline: "hello" } },
      run: { progressed: true, failures: 0 },
      activity: { state: "working" },
    });
  });

  it("exit code 0 of a one-message process is not a receipt: no turn is open after it", () => {
    const session = aSession({ input: "file", messages: [aMessage({ status: "started", run: 1 })] });
    expect(afterEvents(session, [{ type: "message.accepted", id: "m-1", by: "exit" }])).toMatchObject({
      confirms: false,
      turn: null,
      activity: { state: "idle" },
    });
  });

  it("an agent that was done before its answer was recorded as written stays done", () => {
    const answer = aMessage({ kind: "answer", replyTo: "q-1", status: "started", run: 1 });
    const session = aSession({ messages: [answer], question: aQuestion(), activity: { state: "waiting" } });
    const written: SessionEvent = { type: "message.written", id: "m-1", run: 1 };
    expect(afterEvents(session, [written]).activity.state).toBe("working");
    const quick = afterEvents(session, [{ type: "agent.finished", summary: "ok" }, written]);
    expect(quick).toMatchObject({ question: null, activity: { state: "idle", note: "ok" } });
    const reported = afterEvents(session, [{ type: "agent.reported", state: "idle", note: null }, written]);
    expect(reported).toMatchObject({ question: null, activity: { state: "idle" } });
  });

  it("a written answer is settled, and closes only its own question", () => {
    const answer = aMessage({ kind: "answer", replyTo: "q-1", status: "started", run: 1 });
    const written: SessionEvent = { type: "message.written", id: "m-1", run: 1 };
    const closed = afterEvents(aSession({ messages: [answer], question: aQuestion() }), [written]);
    expect(closed).toMatchObject({ question: null, messages: [{ status: "accepted", text: null }] });
    const next = afterEvents(aSession({ messages: [answer], question: aQuestion({ id: "q-2" }) }), [written]);
    expect(next.question?.id).toBe("q-2");
  });

  it.each<SessionEvent>([
    { type: "message.written", id: "m-1", run: 1 },
    { type: "message.accepted", id: "m-1", by: "received" },
    { type: "message.accepted", id: "m-1", by: "done" },
  ])("an interrupt has arrived by $type, and neither starts nor ends anything", (event) => {
    const session = aSession({
      messages: [aMessage({ kind: "interrupt", status: "started", run: 1 })],
      question: aQuestion(),
      turn: { messageId: "m-0", text: { inline: "the task" }, at: 1 },
      activity: { state: "waiting" },
    });
    const after = afterEvents(session, [event]);
    expect(after.messages).toMatchObject([{ status: "accepted", text: null }]);
    const { signalAt: _, ...rest } = after;
    expect({ ...rest, messages: [], updatedAt: 0 }).toEqual({ ...session, messages: [], updatedAt: 0 });
  });

  it.each<SessionEvent>([
    { type: "agent.finished", summary: "ok" },
    { type: "agent.errored", reason: "no" },
    { type: "agent.reported", state: "idle", note: null },
  ])("an unsent interrupt is withdrawn by $type: its turn is over", (event) => {
    const interrupt = aMessage({ id: "i", kind: "interrupt" });
    const session = aSession({ messages: [aMessage(), interrupt, { ...interrupt, id: "i2", status: "started" }] });
    expect(afterEvents(session, [event]).messages).toMatchObject([
      { status: "queued" },
      { status: "withdrawn", reason: "the turn had already ended", text: null },
      { status: "started" },
    ]);
  });

  it("an interrupt waits for its turn while the agent only reports working", () => {
    const session = aSession({ messages: [aMessage({ kind: "interrupt" })] });
    const after = afterEvents(session, [{ type: "agent.reported", state: "working", note: null }]);
    expect(after.messages).toMatchObject([{ status: "queued" }]);
  });

  it("drops the oldest settled messages, and never one on its way", () => {
    const settled = Array.from({ length: REMEMBERED_MESSAGES }, (_, n) =>
      aMessage({ id: `old-${n}`, status: "accepted" }),
    );
    const session = aSession({ messages: [aMessage({ id: "first" }), ...settled] });
    const ids = afterEvents(session, [queued("new")]).messages.map(({ id }) => id);
    expect(ids).toHaveLength(REMEMBERED_MESSAGES);
    expect(ids).toContain("first");
    expect(ids).toContain("new");
    expect(ids).not.toContain("old-0");
    expect(ids).not.toContain("old-1");
    expect(ids).toContain("old-2");
  });
});
