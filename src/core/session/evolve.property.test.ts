import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aQuestion, aSession } from "../../testing/builders.ts";
import { isFull } from "../../testing/full.ts";
import { intentId } from "../intent.ts";
import { needsOfSession } from "../need/session-needs.ts";
import { sessionStream } from "../stream.ts";
import type { SessionEvent } from "./events.ts";
import { evolveSession } from "./evolve.ts";
import { reactSession } from "./react.ts";
import { isLeftBehind, type Message, runtimeOfRun, type SessionState } from "./state.ts";
import { deriveStatus } from "./status.ts";

const numRuns = isFull ? 5000 : 80;

const runtime = fc.constantFrom("process", "tmux").map((plugin) => ({ plugin, config: {} }));
const id = fc.constantFrom("m-1", "m-2", "m-3");
const run = fc.integer({ min: 1, max: 3 });
const generation = fc.integer({ min: 1, max: 2 });
const reason = fc.constant("because");
const code = fc.constantFrom(0, 1, null);
const at = fc.integer({ min: 0, max: 200_000 });

function event<T extends SessionEvent["type"]>(
  type: T,
  fields: { readonly [K in keyof Omit<Extract<SessionEvent, { type: T }>, "type">]: fc.Arbitrary<unknown> },
): fc.Arbitrary<SessionEvent> {
  return fc.record({ type: fc.constant(type), ...fields } as never) as unknown as fc.Arbitrary<SessionEvent>;
}

const text = fc.constant({ inline: "hello" });
const anyEvent: fc.Arbitrary<SessionEvent> = fc.oneof(
  event("session.admitted", {}),
  event("session.stop-requested", { reason }),
  event("session.stopped", {}),
  event("session.restore-requested", {}),
  event("session.moved", { runtime }),
  event("session.retargeted", {}),
  event("session.archived", {}),
  event("session.unarchived", {}),
  event("workspace.creating", { generation }),
  event("workspace.created", {
    generation,
    path: fc.constant("/w"),
    branch: fc.constant("b"),
    head: fc.constant("h"),
    baseCommit: fc.constant("c"),
    restoredFrom: fc.constant(null),
    notes: fc.constant([]),
  }),
  event("workspace.failed", { generation, reason }),
  event("workspace.vanished", { generation, what: fc.constantFrom("missing", "branch-missing"), evidence: reason }),
  event("workspace.reappeared", { generation }),
  event("workspace.branch-left", { generation, on: reason }),
  event("workspace.branch-returned", { generation }),
  event("workspace.relocated", { generation, path: fc.constant("/v") }),
  event("workspace.removed", { generation, preservedRef: fc.constantFrom(null, "refs/x") }),
  event("workspace.kept", { generation, reason }),
  event("untrusted.read", { from: fc.constant("mallory") }),
  event("run.starting", { run, messageId: fc.option(id), onlyHosts: fc.constantFrom(undefined, ["a.example"]) }),
  event("run.started", { run, pid: fc.constant(7) }),
  event("run.hibernating", { run }),
  event("run.network-restricted", { run, hosts: fc.constantFrom(null, [], ["a.example"]) }),
  event("run.restrict-failed", { run, reason }),
  event("run.ended", { run, code, evidence: reason }),
  event("message.queued", {
    id,
    kind: fc.constantFrom("task", "message", "answer", "interrupt"),
    replyTo: fc.constantFrom(null, "q-1"),
    text,
    bytes: fc.constant(5),
  }),
  event("message.started", { id, run, attempt: fc.integer({ min: 1, max: 3 }) }),
  event("message.written", { id, run }),
  event("message.held", { id, reason, notBefore: at }),
  event("message.waiting", { id, reason }),
  event("message.accepted", { id, by: fc.constantFrom("received", "done", "exit") }),
  event("message.returned", { id, reason }),
  event("message.unknown", { id, reason }),
  event("message.failed", { id, reason }),
  event("agent.reported", { state: fc.constantFrom("working", "idle", "waiting"), note: fc.option(reason) }),
  event("agent.asked", { id: fc.constantFrom("q-1", "q-2"), question: reason, choices: fc.constant(["a"]), run }),
  event("question.withdrawn", { id: fc.constantFrom("q-1", "q-2") }),
  event("agent.answered", { questionId: fc.constantFrom("q-1", "q-2"), choice: fc.constant("a"), messageId: id }),
  event("agent.used", {
    ...{ inputTokens: fc.nat(9), outputTokens: fc.nat(9), costUsd: fc.nat(9), cachedTokens: fc.nat(9) },
    model: fc.constantFrom("a", "b", undefined),
  }),
  event("agent.finished", { summary: reason }),
  event("intent.started", { id }),
  event("intent.finished", { id, outcome: fc.constantFrom("done", "failed", "unknown", "held") }),
  event("intent.withdrawn", { id }),
);
const history = fc.array(fc.tuple(anyEvent, at), { maxLength: 40 });
const beginning = fc.constantFrom<SessionState["input"]>("inbox", "file", "terminal").map((input) =>
  aSession({
    input,
    phase: "queued",
    workspace: { state: "none" },
    run: { state: "none", n: 0 },
    question: aQuestion(),
  }),
);

function holds(check: (before: SessionState, event: SessionEvent, after: SessionState) => void): void {
  const property = fc.property(beginning, history, (first, events) => {
    let state = first;
    for (const [one, time] of events) {
      const after = evolveSession(state, one, time) as SessionState;
      check(state, one, after);
      state = after;
    }
  });
  fc.assert(property, { numRuns, seed: 7 });
}

function byId(session: SessionState): ReadonlyMap<string, Message> {
  return new Map(session.messages.map((message) => [message.id, message]));
}

describe("whatever happens", () => {
  it("evolve, react and status return, without changing their input", () => {
    holds((before, one, after) => {
      const copy = structuredClone(before);
      for (const paused of [true, false]) {
        expect(reactSession(after, { paused }, 9000)).toEqual(reactSession(after, { paused }, 9000));
        deriveStatus(after, { paused });
        needsOfSession(after, { paused });
      }
      expect(evolveSession(before, one, 1)).toEqual(evolveSession(before, one, 1));
      expect(before).toEqual(copy);
    });
  });

  it("an accepted message never changes", () => {
    holds((before, _, after) => {
      const now = byId(after);
      for (const message of before.messages) {
        if (message.status === "accepted") expect(now.get(message.id)).toBe(message);
      }
    });
  });

  it("a message never vanishes while few are remembered, and its attempt never decreases by itself", () => {
    holds((before, one, after) => {
      const now = byId(after);
      for (const message of before.messages) {
        const later = now.get(message.id);
        expect(later).toBeDefined();
        if (one.type !== "message.started") expect(later?.attempt).toBeGreaterThanOrEqual(message.attempt);
      }
    });
  });

  it("an interrupt is never a turn, and goes before everything else", () => {
    holds((_, __, after) => {
      const interrupts = after.messages.filter(({ kind }) => kind === "interrupt");
      expect(interrupts.map(({ id: name }) => name)).not.toContain(after.turn?.messageId);
      const { intents } = reactSession(after, { paused: false }, 9000);
      const sent = intents.flatMap(({ spec }) => (spec.kind === "send-message" ? [spec.messageId] : []));
      expect(sent.length).toBeLessThanOrEqual(1);
      const isDue = after.run.state === "alive" && after.phase === "open";
      const due = interrupts.find(({ status }) => status === "queued" || status === "started");
      if (isDue && due !== undefined) expect(sent).toEqual([due.id]);
    });
  });

  it("a run keeps its runtime, and one that the session moved away from is only ended", () => {
    holds((before, one, after) => {
      if (one.type !== "run.starting" && after.run.n > 0) expect(runtimeOfRun(after)).toEqual(runtimeOfRun(before));
      if (after.phase !== "open" || !isLeftBehind(after)) return;
      const kinds = reactSession(after, { paused: false }, 9000).intents.map(({ spec }) => spec.kind);
      expect(kinds).not.toContain("start-run");
    });
  });

  it("only a restore leaves stopped", () => {
    holds((before, one, after) => {
      if (before.phase === "stopped" && one.type !== "session.restore-requested") expect(after.phase).toBe("stopped");
    });
  });

  it("a queued, paused or stopped session wants nothing sent, started or created", () => {
    holds((_, __, after) => {
      const idle = after.phase === "queued" || after.phase === "stopped";
      if (idle) expect(reactSession(after, { paused: false }, 9000).intents).toEqual([]);
      const interrupts = after.messages.filter(({ kind }) => kind === "interrupt").map(({ id: name }) => name);
      for (const { spec } of reactSession(after, { paused: true }, 9000).intents) {
        if (spec.kind === "send-message") expect(interrupts).toContain(spec.messageId);
        else expect(["end-run", "remove-workspace"]).toContain(spec.kind);
      }
    });
  });

  it("each wanted effect appears once, and its id says what it is for", () => {
    holds((_, __, after) => {
      const { intents } = reactSession(after, { paused: false }, 9000);
      expect(new Set(intents.map((intent) => intent.id)).size).toBe(intents.length);
      for (const { id: name, spec } of intents) {
        if (spec.kind !== "send-message") continue;
        const stream = sessionStream(after.id);
        expect(name).toBe(intentId(stream, "send-message", `${spec.messageId}@${spec.run}`, spec.attempt));
      }
    });
  });
});
