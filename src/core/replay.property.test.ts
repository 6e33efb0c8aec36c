import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { planBatch } from "../engine/plan-batch.ts";
import { createWorldState, type WorldState } from "../engine/world-state.ts";
import type { OpenIntent } from "../ports/store.ts";
import { aCreate, aProject } from "../testing/builders.ts";
import type { AgentSignal } from "./agent-signal.ts";
import { evolve, type StreamState } from "./evolve.ts";
import type { Input } from "./input.ts";
import type { IntentOutcome, IntentSpec } from "./intent.ts";
import { react } from "./session/react.ts";
import type { Message, SessionState } from "./session/state.ts";
import type { StreamId } from "./stream.ts";
import { type Emitted, isPaused } from "./world.ts";

const numRuns = process.env["AO_TEST_FULL"] === "1" ? 5000 : 25;

/** A wish of the test, made into an input once it is known what there is to choose from. */
interface Move {
  readonly what: keyof typeof MOVES;
  readonly pick: number;
  readonly how: number;
}

interface Simulation {
  readonly world: WorldState;
  readonly open: Map<string, OpenIntent>;
  readonly finished: Set<string>;
  readonly log: { readonly stream: StreamId; readonly event: Emitted["event"]; readonly at: number }[];
  now: number;
  serial: number;
}

function choose<T>(list: readonly T[], pick: number): T | undefined {
  return list[pick % Math.max(1, list.length)];
}

function sessionsOf(simulation: Simulation): readonly SessionState[] {
  return [...simulation.world.view.sessions()];
}

type Make = (simulation: Simulation, pick: number, how: number) => Input | undefined;

function forSession(make: (session: SessionState, how: number, serial: number) => Input): Make {
  return (simulation, pick, how) => {
    const session = choose(sessionsOf(simulation), pick);
    return session === undefined ? undefined : make(session, how, ++simulation.serial);
  };
}

const MOVES = {
  register: (_, pick, how) => {
    const { paused: _paused, removed: _removed, at: _at, ...facts } = aProject();
    const id = choose(["demo", "other"], pick) as string;
    return { type: "project.register", ...facts, id, sessionPrefix: id, path: `/${id}`, limit: how % 3 || null };
  },
  remove: (_, pick) => ({ type: "project.remove", id: choose(["demo", "other"], pick) as string }),
  limit: (_, __, how) => ({ type: "fleet.limit", limit: 1 + (how % 4) }),
  pause: (_, pick) => ({ type: "fleet.pause", projectId: choose([null, "demo", "other"], pick) as string | null }),
  resume: (_, pick) => ({ type: "fleet.resume", projectId: choose([null, "demo", "other"], pick) as string | null }),
  create: (simulation, pick, how) =>
    aCreate({
      projectId: choose(["demo", "other"], how) as string,
      issue: choose([null, "1", "2"], pick) as string | null,
      input: choose(["inbox", "file", "terminal"] as const, how) ?? "inbox",
      messageId: `m-${++simulation.serial}`,
      now: how % 10 === 0,
    }),
  send: forSession((session, _, serial) => ({
    type: "session.send",
    sessionId: session.id,
    messageId: `m-${serial}`,
    text: { inline: "hello" },
    bytes: 5,
  })),
  answer: forSession((session, _, serial) => ({
    type: "session.answer",
    sessionId: session.id,
    choice: "1",
    messageId: `m-${serial}`,
  })),
  stop: forSession((session) => ({ type: "session.stop", sessionId: session.id, reason: "asked for" })),
  restore: forSession((session) => ({ type: "session.restore", sessionId: session.id })),
  start: (simulation, pick) => {
    const intent = choose(pendingHeads(simulation), pick);
    return intent === undefined ? undefined : { type: "intent.starting", id: intent.id };
  },
  finish: (simulation, pick, how) => {
    const started = [...simulation.open.values()].filter(({ status }) => status === "started");
    const intent = choose(started, pick);
    return intent && { type: "intent.outcome", id: intent.id, outcome: outcomeOf(intent.spec, how) };
  },
  say: forSession((session, how) => ({
    type: "run.signals",
    sessionId: session.id,
    run: how % 5 === 0 ? session.run.n - 1 : session.run.n,
    signals: [signalOf(session, how)],
  })),
  exit: forSession((session, how) => ({
    type: "run.exited",
    sessionId: session.id,
    run: how % 5 === 0 ? session.run.n - 1 : session.run.n,
    code: choose([0, 1, null], how) as number | null,
    evidence: "seen",
  })),
  inspect: forSession((session, how) => ({
    type: "workspace.inspected",
    sessionId: session.id,
    generation: session.workspace.generation,
    condition: choose(["ready", "missing", "branch-missing"] as const, how) ?? "ready",
    evidence: "seen",
  })),
  wait: (simulation, _, how) => {
    simulation.now += (how % 7) * 5000;
    return { type: "timer" };
  },
} satisfies Record<string, Make>;

// Like the engine: the first pending one of each lane, unless something of that lane runs.
function pendingHeads(simulation: Simulation): readonly OpenIntent[] {
  const lanes = new Map<string, OpenIntent>();
  const all = [...simulation.open.values()];
  const busy = new Set(all.filter(({ status }) => status === "started").map(({ lane }) => lane));
  for (const intent of all) if (!busy.has(intent.lane) && !lanes.has(intent.lane)) lanes.set(intent.lane, intent);
  return [...lanes.values()];
}

function outcomeOf(spec: IntentSpec, how: number): IntentOutcome {
  const failed: IntentOutcome = { kind: "failed", code: "plugin-failed", message: "It failed.", hint: null };
  const unknown: IntentOutcome = { kind: "unknown", reason: "who knows" };
  if (how % 8 === 0) return failed;
  if (how % 8 === 1) return unknown;
  switch (spec.kind) {
    case "create-workspace":
      return {
        kind: "workspace-created",
        path: "/w",
        branch: "b",
        head: "h",
        baseCommit: "c",
        restoredFrom: null,
        notes: [],
      };
    case "start-run":
      return how % 8 === 2 ? { kind: "run-ended", code: how % 2, evidence: "short" } : { kind: "run-started", pid: 7 };
    case "send-message":
      return how % 8 < 4 ? { kind: "message-held", reason: "a person types" } : { kind: "message-written" };
    case "end-run":
      return { kind: "run-ended", code: null, evidence: "ended by ao" };
    case "remove-workspace":
      return how % 8 === 2
        ? { kind: "workspace-kept", reason: "a rebase" }
        : { kind: "workspace-removed", preservedRef: how % 2 ? "refs/ao/preserved/x/1" : null };
  }
}

function signalOf(session: SessionState, how: number): AgentSignal {
  const message = choose(session.messages, how >> 3);
  switch (how % 6) {
    case 0:
      return { kind: "status", state: choose(["working", "idle", "waiting"] as const, how >> 3) ?? "idle", note: null };
    case 1:
      return { kind: "asked", id: `q-${how % 4}`, question: "?", choices: ["a", "b"] };
    case 2:
      return { kind: "done", summary: "done" };
    case 3:
      return { kind: "usage", inputTokens: 1, outputTokens: 1, costUsd: 0.25 };
    default:
      return { kind: "received", id: message?.id ?? "m-0" };
  }
}

function begin(): Simulation {
  const simulation: Simulation = {
    world: createWorldState(new Map()),
    open: new Map(),
    finished: new Set(),
    log: [],
    now: 1000,
    serial: 0,
  };
  step(simulation, [
    { what: "register", pick: 0, how: 0 },
    { what: "register", pick: 1, how: 2 },
    { what: "create", pick: 0, how: 0 },
    { what: "create", pick: 1, how: 6 },
  ]);
  return simulation;
}

interface Stepped {
  readonly events: readonly Emitted[];
  readonly recorded: readonly OpenIntent[];
}

function step(simulation: Simulation, moves: readonly Move[]): Stepped {
  simulation.now += 10;
  const { world, open, finished, now } = simulation;
  const made = moves.flatMap(({ what, pick, how }) => (MOVES[what] as Make)(simulation, pick, how) ?? []);
  // An effect starts and ends once; the engine never says so twice.
  const inputs = made.filter((input, index) => made.findIndex((other) => isSameEffect(input, other)) === index);
  const draft = world.draft();
  const due = sessionsOf(simulation).map(({ id }) => id);
  const plan = planBatch(draft, inputs, due, { open, isFinished: (id) => finished.has(id) }, now);
  world.adopt(draft);
  for (const id of [...plan.finished, ...plan.forgotten]) open.delete(id);
  for (const id of plan.finished) finished.add(id);
  for (const intent of plan.recorded) {
    expect(open.has(intent.id), `${intent.id} is recorded twice`).toBe(false);
    open.set(intent.id, intent);
  }
  for (const id of plan.started) {
    const intent = open.get(id);
    if (intent !== undefined) open.set(id, { ...intent, status: "started" });
  }
  for (const { stream, event } of plan.events) simulation.log.push({ stream, event, at: now });
  for (const [, state] of draft.changed) freeze(state);
  return { events: plan.events, recorded: plan.recorded };
}

function isSameEffect(a: Input, b: Input): boolean {
  const isEffect = a.type === "intent.starting" || a.type === "intent.outcome";
  return a === b || (isEffect && a.type === b.type && a.id === b.id);
}

// What a pure function was given must not change under it: an attempt throws.
function freeze(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const part of Object.values(value)) freeze(part);
}

const move: fc.Arbitrary<Move> = fc.record({
  // Mostly the daily work, so that sessions come far enough for the rest to matter.
  what: fc.oneof(
    { weight: 3, arbitrary: fc.constant<Move["what"]>("start") },
    { weight: 4, arbitrary: fc.constant<Move["what"]>("finish") },
    { weight: 3, arbitrary: fc.constantFrom<Move["what"]>("send", "say", "inspect", "exit") },
    { weight: 3, arbitrary: fc.constantFrom(...(Object.keys(MOVES) as Move["what"][])) },
  ),
  pick: fc.nat(1000),
  how: fc.nat(1000),
});
const story = fc.array(fc.array(move, { minLength: 1, maxLength: 3 }), { minLength: 40, maxLength: 80 });

function holds(watch: (simulation: Simulation) => (simulation: Simulation, stepped: Stepped) => void): void {
  const property = fc.property(story, (steps) => {
    const simulation = begin();
    const check = watch(simulation);
    for (const moves of steps) check(simulation, step(simulation, moves));
  });
  fc.assert(property, { numRuns, seed: 1 });
}

describe("in any story", () => {
  it("replaying the events gives the states that were reached live", () => {
    holds(() => {
      const rebuilt = new Map<StreamId, StreamState>();
      let read = 0;
      return ({ log, world }) => {
        for (; read < log.length; read += 1) {
          const { stream, event, at } = log[read] as (typeof log)[number];
          // Through JSON, as the store keeps it.
          const after = evolve(stream, rebuilt.get(stream), JSON.parse(JSON.stringify(event)), at);
          if (after !== undefined) rebuilt.set(stream, after);
        }
        for (const [stream, state] of world.all()) {
          if (!isDeepStrictEqual(rebuilt.get(stream), state)) expect(rebuilt.get(stream)).toEqual(state);
        }
        expect(rebuilt.size).toBe(world.all().size);
      };
    });
  });

  it("a task has at most one session that is not stopped, and that one holds its claim", () => {
    holds(() => (simulation) => {
      const owners = new Map<string, string>();
      for (const session of sessionsOf(simulation)) {
        if (session.phase === "stopped") continue;
        expect(owners.get(session.taskKey)).toBeUndefined();
        owners.set(session.taskKey, session.id);
        expect(simulation.world.view.task(session.taskKey)?.claimedBy).toBe(session.id);
      }
    });
  });

  it("no more sessions are open than the limits allow, except those that asked for `now`", () => {
    const listOpen = (simulation: Simulation): readonly SessionState[] =>
      sessionsOf(simulation).filter(({ phase }) => phase === "open" || phase === "stopping");
    holds((beginning) => {
      let before = new Set(listOpen(beginning).map(({ id }) => id));
      return (simulation, { events }) => {
        const { view } = simulation.world;
        const open = listOpen(simulation);
        const forced = events.filter(({ event }) => event.type === "session.requested").length;
        const grew = open.some(({ id }) => !before.has(id));
        if (grew && forced === 0) {
          expect(open.length).toBeLessThanOrEqual(view.fleet().limit);
          for (const { id, projectId } of open.filter((session) => !before.has(session.id))) {
            const limit = view.project(projectId)?.limit ?? Number.POSITIVE_INFINITY;
            expect(open.filter((one) => one.projectId === projectId).length, id).toBeLessThanOrEqual(limit);
          }
        }
        before = new Set(open.map(({ id }) => id));
      };
    });
  });

  it("an effect that finished is never wanted again, and a message is written once per run and attempt", () => {
    holds(() => {
      const written = new Set<string>();
      return ({ finished }, { recorded, events }) => {
        for (const { id } of recorded) expect(finished.has(id), id).toBe(false);
        for (const { stream, event } of events) {
          if (event.type !== "message.written") continue;
          const key = `${stream} ${event.id} ${event.run}`;
          expect(written.has(key), key).toBe(false);
          written.add(key);
        }
      };
    });
  });

  it("an accepted message never changes", () => {
    holds(() => {
      const accepted = new Map<string, Message>();
      return (simulation) => {
        for (const message of sessionsOf(simulation).flatMap(({ messages }) => messages)) {
          const known = accepted.get(message.id);
          if (known !== undefined) expect(message).toEqual(known);
          if (message.status === "accepted") accepted.set(message.id, message);
        }
      };
    });
  });

  it("what is pending is what is wanted now: a pause, a question or a stop withdraws the rest", () => {
    holds(() => (simulation) => {
      const { view } = simulation.world;
      for (const session of sessionsOf(simulation)) {
        const policy = { paused: isPaused(view, session.projectId) };
        const wanted = new Set(react(session, policy, simulation.now).intents.map(({ id }) => id));
        for (const { id, status, spec } of simulation.open.values()) {
          if (spec.sessionId === session.id && status === "pending") expect(wanted.has(id), id).toBe(true);
        }
      }
    });
  });

  it("nothing but a take-down starts after a pause, not even in the same commit", () => {
    holds(() => {
      let paused = false;
      return (_, { events }) => {
        for (const { event } of events) {
          if (event.type === "fleet.paused") paused = true;
          if (event.type === "fleet.resumed") paused = false;
          if (event.type === "intent.started" && paused) expect(event.id).toMatch(/\/(end-run|remove-workspace)\//);
        }
      };
    });
  });

  it("stopped is left by a restore alone", () => {
    holds(() => {
      let stopped = new Set<string>();
      return (simulation, { events }) => {
        const restored = events.filter(({ event }) => event.type === "session.restore-requested");
        for (const { stream } of restored) stopped.delete(stream.slice("session:".length));
        for (const id of stopped) expect(simulation.world.view.session(id)?.phase).toBe("stopped");
        stopped = new Set(sessionsOf(simulation).flatMap(({ id, phase }) => (phase === "stopped" ? [id] : [])));
      };
    });
  });

  it("there is one run at a time, and its number grows", () => {
    holds(() => {
      const before = new Map<string, SessionState["run"]>();
      return (simulation) => {
        for (const { id, run } of sessionsOf(simulation)) {
          const was = before.get(id) ?? run;
          before.set(id, run);
          expect(run.n).toBeGreaterThanOrEqual(was.n);
          if (was.state === "alive" && run.state === "alive") expect(run.n).toBe(was.n);
        }
      };
    });
  });

  it("(the stories come by every kind of event, so that the facts above say something)", () => {
    const seen = new Set<string>();
    holds(() => (_, { events }) => {
      for (const { event } of events) seen.add(event.type);
    });
    const missing = EVENTS.filter((type) => !seen.has(type));
    expect(missing).toEqual([]);
  });
});

const EVENTS: readonly Emitted["event"]["type"][] = [
  "session.requested",
  "session.admitted",
  "session.stop-requested",
  "session.stopped",
  "session.restore-requested",
  "workspace.creating",
  "workspace.created",
  "workspace.failed",
  "workspace.vanished",
  "workspace.reappeared",
  "workspace.removed",
  "workspace.kept",
  "run.starting",
  "run.started",
  "run.ended",
  "message.queued",
  "message.started",
  "message.written",
  "message.held",
  "message.accepted",
  "message.returned",
  "message.unknown",
  "message.failed",
  "agent.reported",
  "agent.asked",
  "agent.answered",
  "agent.used",
  "agent.finished",
  "intent.recorded",
  "intent.started",
  "intent.finished",
  "intent.withdrawn",
  "task.claimed",
  "task.released",
  "project.registered",
  "project.removed",
  "project.paused",
  "project.resumed",
  "fleet.limited",
  "fleet.paused",
  "fleet.resumed",
];
