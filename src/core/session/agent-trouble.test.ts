import { describe, expect, it } from "vitest";
import { afterEvents, aSession } from "../../testing/builders.ts";
import { needsOfSession } from "../need/session-needs.ts";
import { decideObservation } from "./decide-observation.ts";
import { deriveStatus } from "./status.ts";

const awake = { paused: false };

describe("an agent with problems", () => {
  it("is rate-limited until the given time, and works again when it confirms a message", () => {
    const until = Date.UTC(2026, 10, 15, 12);
    const limited = afterEvents(aSession(), [{ type: "agent.limited", until, reason: "429 from the vendor" }]);
    expect(deriveStatus(limited, awake)).toEqual({
      status: "rate-limited",
      state: "waiting",
      evidence: "429 from the vendor (next try 2026-11-15T12:00:00.000Z)",
    });
    const working = afterEvents(limited, [{ type: "agent.reported", state: "working", note: null }]);
    expect(deriveStatus(working, awake).status).toBe("working");
  });

  it("ends its turn with an error that waits for a person until the next message", () => {
    const text = { inline: "go" };
    const busy = aSession({ turn: { messageId: "m", text, at: 1 } });
    const failed = afterEvents(busy, [{ type: "agent.errored", reason: "401: no login" }]);
    expect(failed).toMatchObject({ turn: null, turns: busy.turns + 1 });
    expect(deriveStatus(failed, awake)).toMatchObject({ status: "errored", state: "error", evidence: "401: no login" });
    expect(needsOfSession(failed, awake).map(({ kind }) => kind)).toEqual(["turn-failed"]);
    const messaged = afterEvents(failed, [
      { type: "message.queued", id: "n", kind: "message", replyTo: null, text, bytes: 2 },
      { type: "message.accepted", id: "n", by: "received" },
    ]);
    expect(needsOfSession(messaged, awake)).toEqual([]);
  });

  it("is informed once about each host that its sandbox blocks, and about 20 at most", () => {
    const session = aSession();
    const signals = Array.from({ length: 50 }, (_, at) => ({ kind: "refused", host: `h${at >> 1}.example` }) as const);
    const events = decideObservation(session, { type: "run.signals", sessionId: session.id, run: 1, signals });
    expect(events).toHaveLength(20);
    expect(events[0]).toEqual({ type: "agent.host-refused", host: "h0.example" });
    expect(afterEvents(session, events).refusedHosts).toHaveLength(20);
  });

  it("reports its conversation once", () => {
    const signals = [{ kind: "conversation", id: "c-1" }] as const;
    const session = aSession();
    const [event] = decideObservation(session, { type: "run.signals", sessionId: session.id, run: 1, signals });
    expect(event).toEqual({ type: "conversation.known", id: "c-1" });
    const known = afterEvents(session, [{ type: "conversation.known", id: "c-1" }]);
    expect(known.conversation).toBe("c-1");
    expect(decideObservation(known, { type: "run.signals", sessionId: session.id, run: 1, signals })).toEqual([]);
  });
});
