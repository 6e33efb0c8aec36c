import { describe, expect, it } from "vitest";
import { afterEvents, aMessage, aSession } from "../../testing/builders.ts";
import type { StoredSignal } from "../agent-signal.ts";
import { needsOfSession } from "../need/session-needs.ts";
import { decideExit, decideObservation } from "./decide-observation.ts";
import type { SessionEvent } from "./events.ts";
import type { SessionState } from "./state.ts";
import { deriveStatus } from "./status.ts";

function signal(session: SessionState, said: StoredSignal, run = 1): readonly SessionEvent[] {
  return decideObservation(session, { type: "run.signals", sessionId: session.id, run, signals: [said] });
}

describe("run.signals", () => {
  const waiting = aSession({ messages: [aMessage({ status: "written", run: 1 })] });

  it.each([
    [
      { kind: "received", id: "m-1" },
      { type: "message.accepted", id: "m-1", by: "received" },
    ],
    [
      { kind: "status", state: "idle", note: "done?" },
      { type: "agent.reported", state: "idle", note: "done?" },
    ],
    [
      { kind: "asked", id: "q", question: "?", choices: ["a"] },
      { type: "agent.asked", id: "q", question: "?", choices: ["a"], run: 1 },
    ],
    [
      { kind: "held", id: "m-1", reason: "a person types" },
      { type: "message.waiting", id: "m-1", reason: "a person types" },
    ],
    [
      { kind: "usage", inputTokens: 1, outputTokens: 2, costUsd: 3 },
      { type: "agent.used", inputTokens: 1, outputTokens: 2, costUsd: 3 },
    ],
    [
      { kind: "usage", inputTokens: 1, cachedTokens: 1, outputTokens: 2, costUsd: 0, model: "m".repeat(300) },
      { type: "agent.used", inputTokens: 1, cachedTokens: 1, outputTokens: 2, costUsd: 0, model: "m".repeat(200) },
    ],
    [
      { kind: "done", summary: "all" },
      { type: "agent.finished", summary: "all" },
    ],
  ] as const)("%o becomes %o", (said, event) => {
    expect(signal({ ...waiting, confirms: true }, said)).toEqual([event]);
  });

  it("a question is withdrawn only while it is open, and a message waits only for a new reason", () => {
    const question = { id: "q", question: "?", choices: [], run: 1, at: 0, answeredBy: null };
    expect(signal({ ...waiting, question }, { kind: "unasked", id: "q" })).toEqual([
      { type: "question.withdrawn", id: "q" },
    ]);
    expect(signal({ ...waiting, question }, { kind: "unasked", id: "old" })).toEqual([]);
    const accepted = aSession({ messages: [aMessage({ id: "m-1", status: "accepted" })] });
    expect(signal(accepted, { kind: "held", id: "m-1", reason: "late" })).toEqual([]);
    const held = aSession({ messages: [aMessage({ id: "m-1", status: "written", reason: "a person types" })] });
    expect(signal(held, { kind: "held", id: "m-1", reason: "a person types" })).toEqual([]);
  });

  it("keeps the order of several signals", () => {
    const signals: StoredSignal[] = [
      { kind: "received", id: "m-1" },
      { kind: "status", state: "working", note: null },
      { kind: "done", summary: "" },
    ];
    const events = decideObservation(waiting, { type: "run.signals", sessionId: "", run: 1, signals });
    expect(events.map(({ type }) => type)).toEqual(["message.accepted", "agent.reported", "agent.finished"]);
  });

  it("a question that is asked and withdrawn in one read does not stay open", () => {
    const signals: StoredSignal[] = [
      { kind: "asked", id: "q", question: "?", choices: ["a"] },
      { kind: "unasked", id: "q" },
      { kind: "status", state: "working", note: null },
    ];
    const events = decideObservation(waiting, { type: "run.signals", sessionId: "", run: 1, signals });
    expect(events.map(({ type }) => type)).toEqual(["agent.asked", "question.withdrawn", "agent.reported"]);
    expect(afterEvents(waiting, events).question).toBeNull();
  });

  it("two ends in one read settle two messages of an agent that never confirms", () => {
    const ids = ["m-1", "m-2", "m-3"];
    const silent = aSession({ messages: ids.map((id) => aMessage({ id, status: "written", run: 1 })) });
    const done: StoredSignal = { kind: "done", summary: "" };
    const events = decideObservation(silent, { type: "run.signals", sessionId: "", run: 1, signals: [done, done] });
    const accepted = events.flatMap((event) => (event.type === "message.accepted" ? [event.id] : []));
    expect(accepted).toEqual(["m-1", "m-2"]);
  });

  it("done settles only the oldest message of an agent that never confirms", () => {
    const messages = [
      aMessage({ id: "m-1", status: "written", run: 1 }),
      aMessage({ id: "m-2", status: "written", run: 1 }),
    ];
    const done: StoredSignal = { kind: "done", summary: "" };
    const silent = aSession({ messages });
    expect(signal(silent, done)[0]).toEqual({ type: "message.accepted", id: "m-1", by: "done" });
    expect(signal({ ...silent, confirms: true }, done).map(({ type }) => type)).toEqual(["agent.finished"]);
    const received: StoredSignal = { kind: "received", id: "m-1" };
    const events = decideObservation(silent, { type: "run.signals", sessionId: "", run: 1, signals: [received, done] });
    expect(events).toEqual([
      { type: "message.accepted", id: "m-1", by: "received" },
      { type: "agent.finished", summary: "" },
    ]);
  });

  it("a receipt for an unknown or already confirmed message means nothing", () => {
    const confirmed = aSession({ messages: [aMessage({ status: "accepted" })] });
    expect(signal(waiting, { kind: "received", id: "m-9" })).toEqual([]);
    expect(signal(confirmed, { kind: "received", id: "m-1" })).toEqual([]);
  });

  it("signals of another or ended run mean nothing", () => {
    expect(signal(waiting, { kind: "done", summary: "" }, 2)).toEqual([]);
    expect(signal(aSession({ run: { state: "ended" } }), { kind: "done", summary: "" })).toEqual([]);
  });

  it("bounds what an agent can put into the log", () => {
    const [note] = signal(waiting, { kind: "status", state: "working", note: "x".repeat(9000) });
    expect(JSON.stringify(note).length).toBeLessThan(2200);
  });
});

describe("the end of a run", () => {
  const file = aSession({ input: "file", run: { messageId: "m-1" } });

  it.each([0, 1, null])("with code %s ends the run of a long-lived agent", (code) => {
    expect(decideExit(aSession(), 1, code, "seen")).toEqual([{ type: "run.ended", run: 1, code, evidence: "seen" }]);
  });

  it.each([
    [0, { type: "message.accepted", id: "m-1", by: "exit" }],
    [3, { type: "message.failed", id: "m-1", reason: "seen" }],
    [null, { type: "message.unknown", id: "m-1", reason: "seen" }],
  ])("with code %s settles the message it was started for", (code, event) => {
    expect(decideExit(file, 1, code, "seen")).toEqual([{ type: "run.ended", run: 1, code, evidence: "seen" }, event]);
  });

  it.each([
    ["another run", aSession({ run: { n: 2 } })],
    ["a run that ended", aSession({ run: { state: "ended" } })],
    ["a run that never was", aSession({ run: { state: "none" } })],
  ])("of %s is outdated", (_, session) => {
    expect(decideExit(session, 1, 0, "")).toEqual([]);
  });

  it("is what run.exited reports", () => {
    const exited = { type: "run.exited", sessionId: "", run: 1, code: 1, evidence: "exit code 1" } as const;
    expect(decideObservation(aSession(), exited)).toEqual(decideExit(aSession(), 1, 1, "exit code 1"));
  });
});

describe("workspace.inspected", () => {
  const inspect = (session: SessionState, condition: "ready" | "missing" | "branch-missing", generation = 1) =>
    decideObservation(session, { type: "workspace.inspected", sessionId: "", generation, condition, evidence: "seen" });
  const vanished = (what: string) => [{ type: "workspace.vanished", generation: 1, what, evidence: "seen" }];

  it.each([
    ["ready", "missing", vanished("missing")],
    ["ready", "branch-missing", vanished("branch-missing")],
    ["branch-missing", "missing", vanished("missing")],
    ["missing", "ready", [{ type: "workspace.reappeared", generation: 1 }]],
    ["branch-missing", "ready", [{ type: "workspace.reappeared", generation: 1 }]],
    ["ready", "ready", []],
    ["missing", "missing", []],
    ["creating", "missing", []],
    ["failed", "ready", []],
    ["removed", "ready", []],
    ["kept", "ready", []],
    ["none", "missing", []],
  ] as const)("%s, seen %s", (state, condition, events) => {
    expect(inspect(aSession({ workspace: { state } }), condition)).toEqual(events);
  });

  it("on another branch is told once the agent rests, and so is its return", () => {
    const seen = {
      type: "workspace.inspected",
      sessionId: "",
      generation: 1,
      condition: "ready",
      evidence: "",
    } as const;
    const resting = aSession({ turn: null, activity: { state: "idle" } });
    const left = { type: "workspace.branch-left", generation: 1, on: "main" } as const;
    expect(decideObservation(resting, { ...seen, on: "main" })).toEqual([left]);
    expect(decideObservation(aSession({ activity: { state: "working" } }), { ...seen, on: "main" })).toEqual([]);
    const away = afterEvents(resting, [left]);
    expect(decideObservation(away, { ...seen, on: "main" })).toEqual([]);
    expect(decideObservation(away, seen)).toEqual([{ type: "workspace.branch-returned", generation: 1 }]);
    expect(deriveStatus(away, { paused: false }).evidence).toMatch(/^on main instead of its branch; /);
    expect(needsOfSession(away, { paused: false })).toMatchObject([
      { kind: "branch-left", text: expect.stringMatching(/^The worktree is on main instead of /) },
    ]);
  });

  it("of an older generation, or of a session that is not open, is outdated", () => {
    expect(inspect(aSession({ workspace: { generation: 2 } }), "missing")).toEqual([]);
    expect(inspect(aSession({ phase: "stopping" }), "missing")).toEqual([]);
  });
});
