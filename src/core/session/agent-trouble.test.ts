import { describe, expect, it } from "vitest";
import { afterEvents, aSession } from "../../testing/builders.ts";
import { aPolicy } from "../../testing/change-builders.ts";
import { needsOfSession } from "../need/session-needs.ts";
import { decideObservation } from "./decide-observation.ts";
import { detectSessionProblems } from "./problems.ts";
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

  it("is informed once about each path that its sandbox kept read-only, and about 20 at most", () => {
    const session = aSession();
    const signals = Array.from({ length: 50 }, (_, at) => ({ kind: "read-only", path: `/opt/${at >> 1}` }) as const);
    const events = decideObservation(session, { type: "run.signals", sessionId: session.id, run: 1, signals });
    expect(events).toHaveLength(20);
    expect(afterEvents(session, events).refusedPaths).toHaveLength(20);
  });

  it.each([
    [
      "bubblewrap",
      "cannot write /root/.npm/_cacache in its sandbox; to allow it to new sessions, set `agentConfig.sandbox: { plugin: bubblewrap, network: all, writable: [/root/.npm] }`",
    ],
    [
      { plugin: "bubblewrap", network: ["*.npmjs.org"], writable: ["~/x"] },
      'cannot write /root/.npm/_cacache in its sandbox; to allow it to new sessions, set `agentConfig.sandbox: { plugin: bubblewrap, network: ["*.npmjs.org"], writable: [~/x, /root/.npm] }`',
    ],
  ])("tells a person about the first path that %j refused, with the setting that allows it", (sandbox, text) => {
    const agent = { plugin: "claude-code", config: { sandbox } };
    const session = { ...aSession(), phase: "open" as const, agent, refusedPaths: ["/root/.npm/_cacache", "/opt"] };
    const facts = { hasChange: false, watchedSince: 0, paused: false };
    const { open } = detectSessionProblems(session, aPolicy(), facts, 1);
    expect(open.filter(({ key }) => key === "sandbox-refused")).toMatchObject([{ id: "sandbox-refused:path", text }]);
  });

  it("tells a person about the first host", () => {
    const agent = { plugin: "codex", config: { sandbox: { plugin: "bubblewrap", network: ["a.example"] } } };
    const session = { ...aSession(), phase: "open" as const, agent, refusedHosts: ["b.example", "c.example"] };
    const facts = { hasChange: false, watchedSince: 0, paused: false };
    expect(detectSessionProblems(session, aPolicy(), facts, 1).open).toMatchObject([
      {
        occurrence: "b.example",
        text: "cannot reach b.example in its sandbox; to allow it to new sessions, set `agentConfig.sandbox: { plugin: bubblewrap, network: [a.example, b.example] }`",
      },
    ]);
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
