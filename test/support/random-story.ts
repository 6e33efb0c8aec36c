import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { StoredSignal } from "../../src/core/agent-signal.ts";
import { lastNumber } from "../../src/core/change/open.ts";
import type { ChangeState } from "../../src/core/change/state.ts";
import type { Emitted } from "../../src/core/event.ts";
import type { Input } from "../../src/core/input.ts";
import type { BranchReading, IntentOutcome, IntentSpec } from "../../src/core/intent.ts";
import { MAIN_GUARDS, type ProjectPolicy } from "../../src/core/policy.ts";
import type { SessionState } from "../../src/core/session/state.ts";
import { changeStream, type StreamId, sessionStream } from "../../src/core/stream.ts";
import { planBatch } from "../../src/engine/plan-batch.ts";
import type { OpenIntent } from "../../src/ports/store.ts";
import { aCreate, aProject } from "../../src/testing/builders.ts";
import { aCheckRule, aPolicy, aRule } from "../../src/testing/change-builders.ts";
import { isFull } from "../../src/testing/full.ts";
import { type ArchivingWorld, createArchivingWorld } from "./archiving-world.ts";

const FULL_STORIES = 1000;

/** Messages for one problem, in every policy of the stories. */
export const RETRIES = 2;

/** A step of the test, turned into an input once the choices are known. */
interface Move {
  readonly what: keyof typeof MOVES;
  readonly pick: number;
  readonly how: number;
}

export interface Simulation {
  readonly world: ArchivingWorld;
  readonly open: Map<string, OpenIntent>;
  readonly finished: Set<string>;
  readonly log: { readonly stream: StreamId; readonly event: Emitted["event"]; readonly at: number }[];
  now: number;
  serial: number;
}

function choose<T>(list: readonly T[], pick: number): T | undefined {
  return list[pick % Math.max(1, list.length)];
}

/** Its sessions, archived ones too. */
export function sessionsOf(simulation: Simulation): readonly SessionState[] {
  const { view } = simulation.world;
  return [...view.sessions(), ...view.archive.sessions({})];
}

function changesOf({ world: { view } }: Simulation): readonly ChangeState[] {
  return [...view.changes(), ...view.archive.changes({})];
}

type Make = (simulation: Simulation, pick: number, how: number) => Input | undefined;

function forSession(make: (session: SessionState, how: number, serial: number) => Input): Make {
  return (simulation, pick, how) => {
    const session = choose(sessionsOf(simulation), pick);
    return session === undefined ? undefined : make(session, how, ++simulation.serial);
  };
}

function forChange(make: (change: ChangeState, how: number, serial: number) => Input): Make {
  return (simulation, pick, how) => {
    const change = choose(changesOf(simulation), pick);
    return change === undefined ? undefined : make(change, how, ++simulation.serial);
  };
}

// Few commits, so that a branch returns to an earlier one.
const HEADS = ["h1", "h2", "h3", "h4"];
const BASES = ["b1", "b2"];

function sightOf(how: number, session?: SessionState): BranchReading {
  const isStacked = session?.stackedOn === undefined ? {} : ({ isStacked: true } as const);
  const baseHead = choose(BASES, how >> 2) ?? "b1";
  return { head: choose(HEADS, how) ?? "h1", baseHead, ahead: how % 5 === 0 ? 0 : 1, ...isStacked };
}

const REACTIONS = [
  "ci-failed",
  "changes-requested",
  "review-commented",
  "merge-conflict",
  "agent-idle",
  "agent-stuck",
] as const;

function policyOf(how: number): ProjectPolicy {
  const escalateAfter = choose([null, { kind: "count", count: 1 }, { kind: "duration", ms: 600_000 }] as const, how);
  const rule = aRule({ retries: RETRIES, escalateAfter: escalateAfter ?? null, thresholdMs: 120_000 });
  const merge = aRule({ action: "merge", auto: how % 3 !== 0, retries: 0, deleteAfter: how % 2 === 0 });
  return aPolicy({
    openPullRequest: how % 4 === 3 ? "agent" : "auto",
    checks:
      choose(
        [
          { unit: aCheckRule() },
          { unit: aCheckRule(), lint: aCheckRule({ required: false }) },
          {},
          { unit: aCheckRule(), late: aCheckRule({ required: false, on: ["main"] }) },
        ],
        how,
      ) ?? {},
    cleanUpAfterMerge: how % 5 !== 4,
    ...(how % 2 === 0 ? { train: { batch: 1 + (how % 3) } } : {}),
    mainGuard: choose(MAIN_GUARDS, how) ?? "off",
    // Two steps: a random story rarely leaves anyone alone for long.
    hibernateAfterMs: how % 2 === 0 ? 20 : null,
    merging: { approvals: how % 3 === 1 ? 1 : 0, blockLabels: ["no"] },
    reactions: {
      ...Object.fromEntries(REACTIONS.map((key) => [key, rule])),
      "approved-and-green": merge,
      "all-complete": aRule({ action: "notify", retries: 0 }),
    },
  });
}

const CHANGE_MOVES = {
  policy: (_, pick, how) => ({
    type: "project.policy",
    id: choose(["demo", "other"], pick) as string,
    policy: policyOf(how),
  }),
  routing: (_, __, how) => {
    const names = choose([["desk"], ["desk", "phone"], []], how) ?? [];
    return { type: "fleet.routing", routing: { urgent: names, action: names, warning: names, info: [] } };
  },
  wake: () => ({ type: "daemon.woke", sleptMs: 1000 }),
  stir: forSession((session) => ({ type: "run.output-seen", sessionId: session.id, run: session.run.n })),
  branch: forSession((session, how) => ({ type: "branch.moved", sessionId: session.id, facts: sightOf(how, session) })),
  base: (_, pick, how) => ({
    type: "base.moved",
    projectId: choose(["demo", "other"], pick) as string,
    head: choose(BASES, how) as string,
  }),
  open: forSession((session, how) => ({
    type: "change.open",
    sessionId: session.id,
    title: null,
    body: null,
    facts: sightOf(how, session),
    by: "ann",
  })),
  review: forChange((change, how, serial) => ({
    type: "change.review",
    key: change.key,
    reviewId: `v${serial}`,
    author: choose(["ann", "bob"], how) as string,
    verdict: choose(["approve", "approve", "request-changes", "comment"] as const, how >> 1) ?? "approve",
    body: how % 7 === 0 ? null : { inline: "words" },
    comments: how % 4 === 0 ? [{ path: "a.ts", line: 1, text: { inline: "here" } }] : [],
    head: how % 6 === 0 ? "h1" : null,
  })),
  reply: forChange((change, how) => ({
    type: "change.reply",
    key: change.key,
    threadId: choose(change.threads, how)?.id ?? "none",
    author: "bob",
    byAgent: how % 2 === 0,
    text: { inline: "so" },
  })),
  resolve: forChange((change, how) => ({
    type: "change.resolve",
    key: change.key,
    threadId: choose(change.threads, how)?.id ?? "none",
    resolved: how % 3 !== 0,
    by: "ann",
  })),
  label: forChange((change, how) => ({
    type: "change.label",
    key: change.key,
    add: how % 2 === 0 ? ["no"] : [],
    remove: how % 2 === 0 ? [] : ["no"],
    by: "ann",
  })),
  recheck: forChange((change) => ({ type: "change.recheck", key: change.key, check: null, by: "ann" })),
  retarget: forChange((change, how) => ({
    type: "change.retarget",
    key: change.key,
    base: how % 5 === 0 ? "release" : "main",
    by: "ann",
  })),
  merge: forChange((change, how) =>
    how % 4 === 3
      ? { type: "change.cancel-merge", key: change.key, by: "ann" }
      : { type: "change.merge", key: change.key, strategy: null, by: "ann" },
  ),
  close: forChange((change) => ({ type: "change.close", key: change.key, by: "ann", reason: "not wanted" })),
  acknowledge: (simulation, pick) => {
    const { view } = simulation.world;
    const owners = [
      ...[...view.changes()].map(({ key, problems }) => [changeStream(key), problems] as const),
      ...[...view.sessions()].map(({ id, problems }) => [sessionStream(id), problems] as const),
    ].flatMap(([stream, problems]) => Object.keys(problems).map((problem) => ({ stream, problem })));
    const one = choose(owners, pick);
    return one && { type: "inbox.acknowledge", ...one, by: "ann" };
  },
} satisfies Record<string, Make>;

function snooze({ now }: Simulation, how: number): Input {
  const id = `demo/${how % 3}/review`;
  return { type: "inbox.snooze", id, occurrence: "head1", until: now + 60_000 * (how % 9), by: "ann" };
}

function cancelMessage({ world }: Simulation, how: number): Input | undefined {
  const messages = [...world.view.sessions()].flatMap(({ id, messages: own }) =>
    own.map((message) => ({ sessionId: id, messageId: message.id })),
  );
  const one = choose(messages, how);
  return one && { type: "session.cancel-message", ...one, by: "ann" };
}

// Most sessions build on another one, if there is one; sometimes on one that cannot be built on.
function stackOf(simulation: Simulation, pick: number, how: number): { readonly on?: string } {
  const all = sessionsOf(simulation).filter(({ projectId }) => projectId === choose(["demo", "other"], how));
  const started = all.filter(({ workspace, phase }) => workspace.baseCommit !== null && phase === "open");
  const session = choose(how % 8 === 7 || started.length === 0 ? all : started, pick >> 2);
  return session === undefined || how % 8 > 5 ? {} : { on: session.id };
}

const MOVES = {
  register: (_simulation, pick, how) => {
    const {
      paused: _,
      removed: __,
      at: ___,
      policy: ____,
      baseHead: _____,
      completedAt: ______,
      ...facts
    } = aProject();
    const id = choose(["demo", "other"], pick) as string;
    return { type: "project.register", ...facts, id, sessionPrefix: id, path: `/${id}`, limit: how % 3 || null };
  },
  remove: (_, pick) => ({ type: "project.remove", id: choose(["demo", "other"], pick) as string }),
  limit: (simulation, pick, how) => {
    if (pick % 4 === 0) return { type: "fleet.prices", prices: { m: { input: how % 3, cachedInput: 0, output: 1 } } };
    if (pick % 4 === 1) return snooze(simulation, how);
    return pick % 4 === 2 ? cancelMessage(simulation, how) : { type: "fleet.limit", limit: 1 + (how % 4) };
  },
  pause: (_, pick) => ({ type: "fleet.pause", projectId: choose([null, "demo", "other"], pick) as string | null }),
  resume: (_, pick) => ({ type: "fleet.resume", projectId: choose([null, "demo", "other"], pick) as string | null }),
  create: (simulation, pick, how) =>
    aCreate({
      projectId: choose(["demo", "other"], how) as string,
      issue: choose([null, "1", "2"], pick) as string | null,
      input: choose(["inbox", "file", "terminal"] as const, how) ?? "inbox",
      messageId: `m-${++simulation.serial}`,
      now: how % 10 === 0,
      ...stackOf(simulation, pick, how),
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
  interrupt: forSession((session, _, serial) => ({
    type: "session.interrupt",
    sessionId: session.id,
    messageId: `i-${serial}`,
  })),
  stop: forSession((session) => ({ type: "session.stop", sessionId: session.id, reason: "asked for" })),
  restore: forSession((session, how) =>
    how % 3 === 0
      ? {
          type: "session.move",
          sessionId: session.id,
          runtime: { plugin: choose(["process", "tmux"], how) as string, config: {} },
        }
      : { type: "session.restore", sessionId: session.id },
  ),
  start: (simulation, pick) => {
    const intent = choose(pendingHeads(simulation), pick);
    return intent === undefined ? undefined : { type: "intent.starting", id: intent.id };
  },
  finish: (simulation, pick, how) => {
    const intent = choose(startedOf(simulation), pick);
    return intent && { type: "intent.outcome", id: intent.id, outcome: outcomeOf(simulation, intent.spec, how) };
  },
  say: forSession((session, how) => ({
    type: "run.signals",
    sessionId: session.id,
    run: how % 5 === 0 ? session.run.n - 1 : session.run.n,
    signals: [{ kind: "conversation", id: "c", ...(how % 7 === 0 ? {} : { resumes: true }) }, signalOf(session, how)],
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
    simulation.now += how % 9 === 8 ? 25 * 60 * 60_000 : (how % 7) * 60_000;
    return { type: "timer" };
  },
  ...CHANGE_MOVES,
} satisfies Record<string, Make>;

// Like the engine: the first pending one of each lane, unless something of that lane runs.
function pendingHeads(simulation: Simulation): readonly OpenIntent[] {
  const lanes = new Map<string, OpenIntent>();
  const all = [...simulation.open.values()];
  const busy = new Set(all.filter(({ status }) => status === "started").map(({ lane }) => lane));
  for (const intent of all) if (!busy.has(intent.lane) && !lanes.has(intent.lane)) lanes.set(intent.lane, intent);
  return [...lanes.values()];
}

function outcomeOf({ world: { view } }: Simulation, spec: IntentSpec, how: number): IntentOutcome {
  const failed: IntentOutcome = { kind: "failed", code: "plugin-failed", message: "It failed.", hint: null };
  const unknown: IntentOutcome = { kind: "unknown", reason: "who knows" };
  // A merge needs several effects that all go well.
  const isLucky = ("changeKey" in spec || spec.kind === "open-change") && how % 3 !== 0;
  if (how % 8 === 0 && !isLucky) return failed;
  if (how % 8 === 1 && !isLucky) return unknown;
  switch (spec.kind) {
    case "create-workspace":
      return {
        kind: "workspace-created",
        path: "/w",
        branch: view.session(spec.sessionId)?.branch ?? "b",
        head: "h",
        baseCommit: "c",
        restoredFrom: null,
        notes: [],
      };
    case "start-run":
      return how % 8 === 2 ? { kind: "run-ended", code: how % 2, evidence: "short" } : { kind: "run-started", pid: 7 };
    case "send-message":
      return how % 8 < 4 ? { kind: "message-held", reason: "a person types" } : { kind: "message-written" };
    case "restrict-network":
      return { kind: "network-restricted" };
    case "end-run":
      return { kind: "run-ended", code: null, evidence: "ended by ao" };
    case "remove-workspace":
      return how % 8 === 2
        ? { kind: "workspace-kept", reason: "a rebase" }
        : { kind: "workspace-removed", preservedRef: how % 2 ? "refs/ao/preserved/x/1" : null };
    case "read-branch":
      return { kind: "branch-read", facts: how % 8 === 2 ? null : sightOf(how >> 3, view.session(spec.sessionId)) };
    case "run-command":
      return { kind: "command-ended", code: how % 2, reason: "" };
    case "open-change":
      return {
        kind: "change-opened",
        number: lastNumber(view, view.session(spec.sessionId)?.projectId ?? "") + 1,
        url: null,
      };
    default:
      return changeOutcome(spec, how);
  }
}

function changeOutcome(
  spec: Exclude<IntentSpec, { readonly sessionId: string } | { readonly kind: "run-command" }>,
  how: number,
): IntentOutcome {
  switch (spec.kind) {
    case "build-train": {
      const cars = spec.cars.map(({ head }, index) => ({
        commit: `built-${head}-${how}-${index}`,
        isHeadTree: how % 3 === 0,
        since: [],
      }));
      return { kind: "train-built", cars: cars.slice(0, 1 + (how % 3)), conflicts: how % 3 === 0 ? ["a.ts"] : [] };
    }
    case "release-train":
      return { kind: "train-released" };
    case "check-commit":
    case "run-check": {
      const states = [
        "passed",
        "passed",
        "passed",
        "failed",
        "failed",
        "timed-out",
        "setup-failed",
        "cancelled",
      ] as const;
      const state = choose(states, how >> 3) ?? "passed";
      return { kind: "check-ended", state, code: 1, log: { inline: "log" }, fingerprint: `f${how % 2}`, tookMs: 1 };
    }
    case "transfer-change":
      return { kind: "change-opened", number: 1000 + how, url: null, isRemote: true };
    case "publish-change":
      return { kind: "change-published" };
    case "write-change":
      return { kind: "change-written" };
    case "try-merge": {
      const result = choose(["clean", "clean", "clean", "conflict", "unknown"] as const, how >> 3) ?? "clean";
      const own = spec.landed === undefined || how % 2 === 0 ? {} : { startsAfter: spec.landed };
      return { kind: "merge-tried", result, files: result === "conflict" ? ["a.ts"] : [], reason: null, ...own };
    }
    case "merge-change":
      if (how % 8 === 2) return { kind: "merge-waits", reason: "a.ts is edited", files: ["a.ts"] };
      if (how % 8 === 3) return { kind: "merge-outdated", reason: "it moved", facts: sightOf(how >> 3) };
      return { kind: "merged", commit: spec.exact?.commit ?? choose(BASES, how >> 3) ?? "b1", baseBefore: "b0" };
    case "revert-merge":
      return { kind: "merge-reverted", commit: choose(BASES, how >> 3) ?? "b1" };
    case "close-issue":
      return { kind: "issue-settled", closed: true, reason: "merged" };
    case "delete-branch":
      return { kind: "branch-settled", deleted: how % 2 === 0, reason: "merged" };
    case "notify":
      return { kind: "notified" };
  }
}

function signalOf(session: SessionState, how: number): StoredSignal {
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

const GOOD: Move = { what: "finish", pick: 0, how: 7 };

// prepared: the first session is at work on a pull request, so that the story is not over before it gets there.
// stacked: another one is stacked on it.
type Beginning = "plain" | "prepared" | "stacked";

function begin(beginning: Beginning): Simulation {
  const simulation: Simulation = {
    world: createArchivingWorld(),
    open: new Map(),
    finished: new Set(),
    log: [],
    now: 1000,
    serial: 0,
  };
  step(simulation, [
    { what: "register", pick: 0, how: 0 },
    { what: "register", pick: 1, how: 2 },
    { what: "policy", pick: 0, how: 2 },
    { what: "policy", pick: 1, how: 1 },
    { what: "routing", pick: 0, how: 0 },
    { what: "create", pick: 0, how: 0 },
    { what: "create", pick: 1, how: 6 },
  ]);
  if (beginning === "plain") return simulation;
  for (let effect = 0; effect < 6; effect += 1) step(simulation, [{ what: "start", pick: 0, how: 0 }, GOOD]);
  step(simulation, [{ what: "open", pick: 0, how: 1 }]);
  finish(simulation, "open-change");
  if (beginning === "prepared") return simulation;
  step(simulation, [{ what: "create", pick: 2, how: 0 }]);
  finish(simulation, "create-workspace");
  step(simulation, [{ what: "open", pick: 2, how: 2 }]);
  finish(simulation, "open-change");
  return simulation;
}

function finish(simulation: Simulation, kind: IntentSpec["kind"]): void {
  const isWanted = ({ spec }: OpenIntent): boolean => spec.kind === kind;
  step(simulation, [{ what: "start", pick: pendingHeads(simulation).findIndex(isWanted), how: 0 }]);
  step(simulation, [{ ...GOOD, pick: startedOf(simulation).findIndex(isWanted) }]);
}

function startedOf(simulation: Simulation): readonly OpenIntent[] {
  return [...simulation.open.values()].filter(({ status }) => status === "started");
}

export interface Stepped {
  readonly events: readonly Emitted[];
  readonly recorded: readonly OpenIntent[];
}

function step(simulation: Simulation, moves: readonly Move[]): Stepped {
  simulation.now += 10;
  const { world, open, finished } = simulation;
  const made = moves.flatMap(({ what, pick, how }) => (MOVES[what] as Make)(simulation, pick, how) ?? []);
  // An effect starts and ends once; the engine never reports it twice.
  const inputs = made.filter((input, index) => made.findIndex((other) => isSameEffect(input, other)) === index);
  const { now } = simulation;
  const draft = world.draft();
  const due = [...world.all().keys()].filter((stream) => /^(session:|change:|project:|fleet$)/.test(stream));
  const plan = planBatch(draft, inputs, { due, intents: { open, isFinished: (id) => finished.has(id) }, now });
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

// A pure function's input must not change: an attempt throws.
function freeze(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const part of Object.values(value)) freeze(part);
}

const move: fc.Arbitrary<Move> = fc.record({
  // Mostly everyday work, so that sessions get far enough for the rest to matter.
  what: fc.oneof(
    { weight: 3, arbitrary: fc.constant<Move["what"]>("start") },
    { weight: 4, arbitrary: fc.constant<Move["what"]>("finish") },
    { weight: 3, arbitrary: fc.constantFrom<Move["what"]>("send", "say", "say", "interrupt", "inspect", "exit") },
    {
      weight: 2,
      arbitrary: fc.constantFrom<Move["what"]>(
        "review",
        "merge",
        "resolve",
        "label",
        "wait",
        "stop",
        "wait",
        "restore",
        "wait",
      ),
    },
    { weight: 3, arbitrary: fc.constantFrom(...(Object.keys(MOVES) as Move["what"][])) },
  ),
  pick: fc.nat(1000),
  how: fc.nat(1000),
});
const story = fc.array(fc.array(move, { minLength: 1, maxLength: 3 }), { minLength: 40, maxLength: 80 });

/** Fast if they are equal; otherwise the message shows the difference. */
export function expectSame(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected);
}

/** A property of every story: given its start, returns a function that checks it after each step and throws if it is violated. */
export type Fact = (beginning: Simulation) => (simulation: Simulation, stepped: Stepped) => void;

interface StoryOptions {
  /** How many stories `npm test` runs. */
  readonly stories?: number;
  /** Tests of what the properties saw in all stories together. */
  readonly afterwards?: Readonly<Record<string, () => void>>;
}

/** A test for each property. The stories run once for all of them; a failing property runs alone again, to find the shortest story. */
export function itHolds(facts: Readonly<Record<string, Fact>>, options: StoryOptions = {}): void {
  const numRuns = isFull ? FULL_STORIES : (options.stories ?? 40);
  let told: ReadonlySet<string> | null = null;
  const listBrokenOnce = (): ReadonlySet<string> => {
    told ??= listBroken(facts, numRuns);
    return told;
  };
  it.each(Object.entries(facts))("%s", (name, fact) => {
    if (!listBrokenOnce().has(name)) return;
    tell(fact, numRuns);
    throw new Error("this holds in each story alone, but not when several run one after another");
  });
  it.each(Object.entries(options.afterwards ?? {}))("%s", (_, test) => {
    listBrokenOnce();
    test();
  });
}

/** The names of the violated properties. */
function listBroken(facts: Readonly<Record<string, Fact>>, numRuns: number): ReadonlySet<string> {
  const broken = new Set<string>();
  tell((beginning) => {
    const checks = Object.entries(facts).map(([name, fact]) => ({ name, check: fact(beginning) }));
    return (simulation, stepped) => {
      for (const { name, check } of checks) {
        if (broken.has(name)) continue;
        try {
          check(simulation, stepped);
        } catch {
          broken.add(name);
        }
      }
    };
  }, numRuns);
  return broken;
}

function tell(fact: Fact, numRuns: number): void {
  const beginnings = fc.constantFrom<Beginning>("plain", "prepared", "stacked");
  const property = fc.property(beginnings, story, (beginning, steps) => {
    const simulation = begin(beginning);
    const check = fact(simulation);
    for (const moves of steps) check(simulation, step(simulation, moves));
  });
  fc.assert(property, { numRuns, seed: 1 });
}
