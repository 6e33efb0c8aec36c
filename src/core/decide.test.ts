import { describe, expect, it } from "vitest";
import { aMessage, aProject, aQuestion, aSession, aWorld } from "../testing/builders.ts";
import { decide } from "./decide.ts";
import type { Command, Decision, Input } from "./input.ts";
import type { Intent } from "./intent.ts";
import { reactSession } from "./session/react.ts";
import type { World } from "./world.ts";

const none = (): undefined => undefined;

function events(decision: Decision): readonly object[] {
  return decision.kind === "accepted"
    ? decision.events.map(({ event }) => event)
    : [{ rejected: decision.rejection.code }];
}

function given(world: World, input: Input): readonly object[] {
  return events(decide(world, input, none, 2000));
}

describe("project.register", () => {
  const { paused: _, removed: __, at: ___, ...facts } = aProject();
  const register: Command = { type: "project.register", ...facts };

  it("registers an unknown project", () => {
    expect(given(aWorld({ projects: [] }), register)).toEqual([{ ...register, type: "project.registered" }]);
  });

  it("does nothing if nothing changed", () => {
    expect(given(aWorld(), register)).toEqual([]);
  });

  it("records changes, and restores a removed project", () => {
    expect(given(aWorld(), { ...register, limit: 2 })).toMatchObject([{ type: "project.registered", limit: 2 }]);
    const removed = aWorld({ projects: [aProject({ removed: true, path: "/elsewhere" })] });
    expect(given(removed, register)).toMatchObject([{ type: "project.registered", path: "/repo" }]);
  });

  it("does not bring back a project that was removed while its configuration was read", () => {
    const update = { ...register, isUpdate: true, limit: 2 };
    expect(given(aWorld({ projects: [aProject({ removed: true })] }), update)).toEqual([]);
    expect(given(aWorld(), update)).toEqual([{ ...register, type: "project.registered", limit: 2 }]);
  });

  it("is rejected if the id belongs to another folder", () => {
    expect(given(aWorld(), { ...register, path: "/other" })).toEqual([{ rejected: "project-exists" }]);
  });
});

describe("project.remove", () => {
  const remove: Command = { type: "project.remove", id: "demo" };

  it("removes a project whose sessions are all stopped", () => {
    const world = aWorld({ sessions: [aSession({ phase: "stopped" }), aSession({ id: "x", projectId: "other" })] });
    expect(given(world, remove)).toEqual([{ type: "project.removed" }]);
  });

  it.each(["queued", "open", "stopping"] as const)("is rejected while a session is %s", (phase) => {
    expect(given(aWorld({ sessions: [aSession({ phase })] }), remove)).toEqual([{ rejected: "conflict" }]);
  });

  it("is rejected for a project that is unknown or removed", () => {
    expect(given(aWorld({ projects: [] }), remove)).toEqual([{ rejected: "project-unknown" }]);
    expect(given(aWorld({ projects: [aProject({ removed: true })] }), remove)).toEqual([
      { rejected: "project-unknown" },
    ]);
  });
});

describe("commands for the fleet", () => {
  const prices = { "house-model": { input: 1, cachedInput: 0.1, output: 2 } };

  it.each([
    [{ type: "fleet.limit", limit: 2 }, [{ type: "fleet.limited", limit: 2 }]],
    [{ type: "fleet.limit", limit: 5 }, []],
    [{ type: "fleet.limit", limit: 5, ciRuns: 3 }, [{ type: "fleet.limited", limit: 5, ciRuns: 3 }]],
    [{ type: "fleet.limit", limit: 5, ciRuns: null }, []],
    [{ type: "fleet.prices", prices }, [{ type: "fleet.prices-set", prices }]],
    [{ type: "fleet.prices", prices: {} }, []],
    [{ type: "fleet.pause", projectId: null }, [{ type: "fleet.paused" }]],
    [{ type: "fleet.resume", projectId: null }, []],
    [{ type: "fleet.pause", projectId: "demo" }, [{ type: "project.paused" }]],
    [{ type: "fleet.resume", projectId: "demo" }, []],
    [{ type: "fleet.pause", projectId: "nobody" }, [{ rejected: "project-unknown" }]],
    [{ type: "daemon.up", version: "1", pid: 7 }, [{ type: "daemon.started", version: "1", pid: 7 }]],
    [{ type: "daemon.down", reason: "bye" }, [{ type: "daemon.stopped", reason: "bye" }]],
  ] satisfies [Command, object[]][])("%o gives %o", (command, expected) => {
    expect(given(aWorld(), command)).toEqual(expected);
  });

  it.each([
    [{ type: "fleet.pause", projectId: null }, []],
    [{ type: "fleet.resume", projectId: null }, [{ type: "fleet.resumed" }]],
    [{ type: "fleet.pause", projectId: "demo" }, []],
    [{ type: "fleet.resume", projectId: "demo" }, [{ type: "project.resumed" }]],
  ] satisfies [Command, object[]][])("%o gives %o when all is paused", (command, expected) => {
    const world = aWorld({ fleet: { paused: true }, projects: [aProject({ paused: true })] });
    expect(given(world, command)).toEqual(expected);
  });
});

describe("inputs that are not commands", () => {
  it("a timer alone decides nothing", () => {
    expect(given(aWorld(), { type: "timer" })).toEqual([]);
  });

  it.each([
    { type: "run.signals", sessionId: "nobody", run: 1, signals: [] },
    { type: "run.exited", sessionId: "nobody", run: 1, code: 0, evidence: "" },
    { type: "workspace.inspected", sessionId: "nobody", generation: 1, condition: "missing", evidence: "" },
    { type: "intent.starting", id: "nobody" },
    { type: "intent.outcome", id: "nobody", outcome: { kind: "message-written" } },
  ] satisfies Input[])("$type about something unknown is ignored", (input) => {
    expect(given(aWorld(), input)).toEqual([]);
  });
});

describe("an effect", () => {
  const session = aSession({ messages: [aMessage()] });
  const [intent] = reactSession(session, { paused: false }, 2000).intents as [Intent];
  const find = (id: string): Intent | undefined => (id === intent.id ? intent : undefined);
  const start = (world: World): readonly object[] =>
    events(decide(world, { type: "intent.starting", id: intent.id }, find, 2000));

  it("is marked as started together with its consequences", () => {
    expect(start(aWorld({ sessions: [session] }))).toEqual([
      { type: "intent.started", id: intent.id },
      { type: "message.started", id: "m-1", run: 1, attempt: 1 },
    ]);
  });

  it.each([
    ["everything was paused", aWorld({ sessions: [session], fleet: { paused: true } })],
    ["its project was paused", aWorld({ sessions: [session], projects: [aProject({ paused: true })] })],
    ["the agent asked a question", aWorld({ sessions: [{ ...session, question: aQuestion() }] })],
    ["the session should stop", aWorld({ sessions: [{ ...session, phase: "stopping" }] })],
  ])("does not start if %s just before", (_, world) => {
    expect(start(world)).toEqual([]);
  });

  it.each([
    [{ kind: "message-written" }, "done"],
    [{ kind: "message-held", reason: "a person types" }, "held"],
    [{ kind: "failed", code: "internal", message: "no", hint: null }, "failed"],
    [{ kind: "unknown", reason: "who knows" }, "unknown"],
  ] as const)("that ends with %o is finished as %s", (outcome, as) => {
    const input: Input = { type: "intent.outcome", id: intent.id, outcome };
    expect(events(decide(aWorld({ sessions: [session] }), input, find, 2000))[0]).toEqual({
      type: "intent.finished",
      id: intent.id,
      outcome: as,
    });
  });
});
