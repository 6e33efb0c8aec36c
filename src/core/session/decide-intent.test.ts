import { describe, expect, it } from "vitest";
import { aMessage, aSession } from "../../testing/builders.ts";
import type { IntentOutcome, IntentSpec } from "../intent.ts";
import { decideOutcome, decideStarting } from "./decide-intent.ts";
import type { SessionState } from "./state.ts";

const sessionId = "demo-fix-it";
const create: IntentSpec = { kind: "create-workspace", sessionId, generation: 1, restore: false };
const startRun: IntentSpec = { kind: "start-run", sessionId, run: 2, messageId: null };
const startTurn: IntentSpec = { kind: "start-run", sessionId, run: 2, messageId: "m-1" };
const send: IntentSpec = { kind: "send-message", sessionId, run: 1, messageId: "m-1", attempt: 1 };
const end: IntentSpec = { kind: "end-run", sessionId, run: 1 };
const remove: IntentSpec = { kind: "remove-workspace", sessionId, generation: 1 };

const failed: IntentOutcome = { kind: "failed", code: "git-failed", message: "No.", hint: "Do this." };
const unknown: IntentOutcome = { kind: "unknown", reason: "who knows" };
const NOW = 2000;

describe("the start of an effect", () => {
  const session = aSession({ messages: [aMessage({ attempt: 3 })] });

  it("that ends the run of an idle agent, and of no other, is its hibernation", () => {
    const idle = aSession({ activity: { state: "idle" } });
    expect(decideStarting(idle, end)).toEqual([{ type: "run.hibernating", run: 1 }]);
    const others: readonly Partial<SessionState>[] = [
      { phase: "stopping" },
      { runtime: { plugin: "tmux", config: {} }, run: { ...idle.run, runtime: idle.runtime } },
      { workspace: { ...idle.workspace, state: "none" } },
      { run: { ...idle.run, hibernation: "ending" } },
    ];
    for (const facts of others) expect(decideStarting({ ...idle, ...facts }, end)).toEqual([]);
  });

  it.each([
    [create, [{ type: "workspace.creating", generation: 1 }]],
    [startRun, [{ type: "run.starting", run: 2, messageId: null }]],
    [
      startTurn,
      [
        { type: "run.starting", run: 2, messageId: "m-1" },
        { type: "message.started", id: "m-1", run: 2, attempt: 3 },
      ],
    ],
    [send, [{ type: "message.started", id: "m-1", run: 1, attempt: 1 }]],
    [end, []],
    [remove, []],
  ])("of %o means %o", (spec, events) => {
    expect(decideStarting(session, spec)).toEqual(events);
  });
});

describe("the outcome of create-workspace", () => {
  const facts = { path: "/w", branch: "b", head: "h", baseCommit: "c", restoredFrom: null, notes: ["n"] };

  it("is a ready workspace", () => {
    const outcome: IntentOutcome = { kind: "workspace-created", ...facts };
    expect(decideOutcome(aSession(), create, outcome, NOW)).toEqual([
      { type: "workspace.created", generation: 1, ...facts },
    ]);
  });

  it("records with the notes why it was recreated", () => {
    const session = aSession({ workspace: { state: "creating", reason: "/w is gone" } });
    expect(decideOutcome(session, create, { kind: "workspace-created", ...facts }, NOW)).toMatchObject([
      { notes: ["The workspace was rebuilt: /w is gone.", "n"] },
    ]);
  });

  it.each([
    [failed, "No. Do this."],
    [unknown, "who knows"],
  ])("is a failed workspace after %o", (outcome, reason) => {
    expect(decideOutcome(aSession(), create, outcome, NOW)).toEqual([
      { type: "workspace.failed", generation: 1, reason },
    ]);
  });
});

describe("the outcome of start-run", () => {
  const starting = aSession({ run: { state: "starting", n: 2 } });
  const turn = aSession({ input: "file", run: { state: "starting", n: 2, messageId: "m-1" } });

  it("is a live run", () => {
    expect(decideOutcome(starting, startRun, { kind: "run-started", pid: 7 }, NOW)).toEqual([
      { type: "run.started", run: 2, pid: 7 },
    ]);
  });

  it("may be a run that is already over, with the result of its message", () => {
    const outcome: IntentOutcome = { kind: "run-ended", code: 0, evidence: "exit code 0" };
    expect(decideOutcome(turn, startTurn, outcome, NOW)).toEqual([
      { type: "run.ended", run: 2, code: 0, evidence: "exit code 0" },
      { type: "message.accepted", id: "m-1", by: "exit" },
    ]);
  });

  it("is an ended run if nothing could be started, and a failed message", () => {
    const ended = { type: "run.ended", run: 2, code: null, evidence: "No. Do this." };
    expect(decideOutcome(starting, startRun, failed, NOW)).toEqual([ended]);
    expect(decideOutcome(turn, startTurn, failed, NOW)).toEqual([
      ended,
      { type: "message.failed", id: "m-1", reason: "No. Do this." },
    ]);
  });

  it("leaves the message unknown if it cannot be determined", () => {
    expect(decideOutcome(turn, startTurn, unknown, NOW)).toEqual([
      { type: "run.ended", run: 2, code: null, evidence: "who knows" },
      { type: "message.unknown", id: "m-1", reason: "who knows" },
    ]);
  });
});

describe("the outcome of send-message", () => {
  const written: IntentOutcome = { kind: "message-written" };
  const alive = aSession({ messages: [aMessage({ status: "started", run: 1 })] });
  const dead: SessionState = { ...alive, run: { ...alive.run, state: "ended", code: 1 } };
  const successor: SessionState = { ...alive, run: { ...alive.run, n: 2 } };
  const typed: SessionState = { ...dead, input: "terminal" };
  const died = "the agent died before it confirmed";

  it.each([
    ["written while the agent lives", alive, written, { type: "message.written", id: "m-1", run: 1 }],
    ["written to an agent that died", dead, written, { type: "message.returned", id: "m-1", reason: died }],
    [
      "written to an agent that has a successor",
      successor,
      written,
      { type: "message.returned", id: "m-1", reason: died },
    ],
    ["typed, and the terminal closed", typed, written, { type: "message.written", id: "m-1", run: 1 }],
    [
      "held",
      alive,
      { kind: "message-held", reason: "a person types" },
      { type: "message.held", id: "m-1", reason: "a person types", notBefore: NOW + 2000 },
    ],
    ["unknown", alive, unknown, { type: "message.unknown", id: "m-1", reason: "who knows" }],
    ["unknown, and the agent died", dead, unknown, { type: "message.unknown", id: "m-1", reason: "who knows" }],
    ["failed", alive, failed, { type: "message.failed", id: "m-1", reason: "No. Do this." }],
    ["failed because the agent died", dead, failed, { type: "message.returned", id: "m-1", reason: "No. Do this." }],
  ] as const)("%s", (_, session, outcome, event) => {
    expect(decideOutcome(session, send, outcome, NOW)).toEqual([event]);
  });

  it("a run that ended and is wanted again, after a restore or in a new folder, is over too", () => {
    const restored = { ...dead, run: { ...dead.run, state: "none" as const } };
    expect(decideOutcome(restored, send, written, NOW)).toMatchObject([{ type: "message.returned", id: "m-1" }]);
  });

  it("an answer that comes too late is not kept for the next run, which asks again", () => {
    const answering = { ...dead, messages: [aMessage({ kind: "answer", replyTo: "q", status: "started", run: 1 })] };
    expect(decideOutcome(answering, send, written, NOW)).toMatchObject([{ type: "message.failed", id: "m-1" }]);
  });

  it.each([written, failed, unknown])("an interrupt that comes too late is not for the next run: %o", (outcome) => {
    const interrupted = { ...dead, messages: [aMessage({ kind: "interrupt", status: "started", run: 1 })] };
    expect(decideOutcome(interrupted, send, outcome, NOW)).toMatchObject([{ type: "message.failed", id: "m-1" }]);
  });
});

describe("the outcome of end-run", () => {
  it("ends the run", () => {
    expect(decideOutcome(aSession(), end, { kind: "run-ended", code: null, evidence: "ended by ao" }, NOW)).toEqual([
      { type: "run.ended", run: 1, code: null, evidence: "ended by ao" },
    ]);
  });

  it("adds nothing if the end was already seen", () => {
    const ended = aSession({ run: { state: "ended", code: 0 } });
    expect(decideOutcome(ended, end, { kind: "run-ended", code: null, evidence: "" }, NOW)).toEqual([]);
  });
});

describe("the outcome of remove-workspace", () => {
  it.each([
    [
      { kind: "workspace-removed", preservedRef: "refs/x" },
      { type: "workspace.removed", generation: 1, preservedRef: "refs/x" },
    ],
    [
      { kind: "workspace-kept", reason: "a rebase" },
      { type: "workspace.kept", generation: 1, reason: "a rebase" },
    ],
    [failed, { type: "workspace.kept", generation: 1, reason: "No. Do this." }],
    [unknown, { type: "workspace.kept", generation: 1, reason: "who knows" }],
  ] as const)("%o means %o: what may not be saved stays", (outcome, event) => {
    expect(decideOutcome(aSession(), remove, outcome, NOW)).toEqual([event]);
  });
});
