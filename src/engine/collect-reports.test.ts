import { describe, expect, it } from "vitest";
import type { AgentSignal } from "../core/agent-signal.ts";
import { decodeSignal } from "../core/lines-protocol.ts";
import type { ActivityFacts } from "../core/session/state.ts";
import { collectReports, isUrgent, type Known, NOTHING_COLLECTED, toSubmit } from "./collect-reports.ts";

const working = (note: string | null = null): AgentSignal => ({ kind: "status", state: "working", note });
const idle: AgentSignal = { kind: "status", state: "idle", note: null };
const waiting = (note: string): AgentSignal => ({ kind: "status", state: "waiting", note });
const limited = (until: number): AgentSignal => ({ kind: "limited", until, reason: "429" });
const done: AgentSignal = { kind: "done", summary: "all of it" };
const usage = (inputTokens: number, costUsd = 0, model?: string): AgentSignal => ({
  ...{ kind: "usage", inputTokens, outputTokens: 1, costUsd },
  ...(model === undefined ? {} : { model }),
});

function known(state: ActivityFacts["state"], facts: Partial<Known & { note: string; allowed: number }> = {}): Known {
  let { allowed = 100 } = facts;
  const { note = null, limitedUntil = null } = facts;
  return { activity: { state, note }, limitedUntil, mayRecord: () => allowed-- > 0 };
}

const submitted = (signals: readonly AgentSignal[], facts: Known): readonly AgentSignal[] =>
  toSubmit(collectReports(NOTHING_COLLECTED, signals, facts));

/** What the agent printed, given the state in the log, and which of it becomes an event. */
const TABLE: readonly [string, Known, readonly AgentSignal[], readonly number[]][] = [
  ["a first status", known("none"), [working("reads")], [0]],
  ["the same status again", known("working"), [working()], []],
  ["another note with the same state", known("working", { note: "reads" }), [working("writes")], []],
  ["a change of state", known("working"), [idle], [0]],
  ["each change of state in one reading", known("working"), [idle, working(), idle], [0, 1, 2]],
  ["the first of several notes of a new state", known("idle"), [working("a"), working("b")], [0]],
  ["a new reason for waiting", known("waiting", { note: "a color" }), [waiting("a size")], [0]],
  ["the same reason for waiting", known("waiting", { note: "a color" }), [waiting("a color")], []],
  ["a rate limit", known("working"), [limited(9)], [0]],
  ["the same rate limit again", known("limited", { note: "429", limitedUntil: 9 }), [limited(9)], []],
  ["a longer rate limit", known("limited", { note: "429", limitedUntil: 9 }), [limited(10)], [0]],
  ["work after a rate limit", known("limited", { note: "429", limitedUntil: 9 }), [working()], [0]],
  ["each end of a turn", known("idle"), [done, done], [0, 1]],
  ["idle after the end of a turn", known("working"), [done, idle], [0]],
  ["work after the end of a turn", known("working"), [done, working()], [0, 1]],
  ["each error", known("errored", { note: "boom" }), [{ kind: "errored", reason: "boom" }], [0]],
  ["each receipt", known("working"), [{ kind: "received", id: "m-1" }], [0]],
  ["a status after a receipt", known("idle"), [{ kind: "received", id: "m-1" }, working()], [0, 1]],
  ["each question", known("working"), [{ kind: "asked", id: "q", question: "?", choices: [] }], [0]],
  ["a withdrawn question", known("waiting"), [{ kind: "unasked", id: "q" }], [0]],
  ["a held message", known("working"), [{ kind: "held", id: "m-1", reason: "typing" }], [0]],
  ["a conversation", known("working"), [{ kind: "conversation", id: "c" }], [0]],
];

describe("an agent's reports that become events", () => {
  it.each(TABLE)("%s", (_, facts, signals, kept) => {
    expect(submitted(signals, facts)).toEqual(kept.map((index) => signals[index]));
  });

  it("include none of 300,000 notes", () => {
    const notes = Array.from({ length: 300_000 }, (_, n) => working(`step ${n}`));
    const collected = collectReports(NOTHING_COLLECTED, notes, known("working"));
    expect(toSubmit(collected)).toEqual([]);
    expect(collected.newest).toEqual(working("step 299999"));
  });

  it("ignore lines that are not reports", () => {
    const lines = ["hello", '{"type":"say","text":"hello"}', '{"type":"tool","id":"t","name":"Bash"}'];
    expect(lines.map(decodeSignal)).toEqual([null, null, null]);
  });
});

describe("an agent that keeps changing its state", () => {
  it("has each change recorded within its allowance, then only the newest", () => {
    const flapping = Array.from({ length: 11 }, (_, n) => (n % 2 === 0 ? working(`turn ${n}`) : idle));
    const collected = collectReports(NOTHING_COLLECTED, flapping, known("idle", { allowed: 2 }));
    expect(toSubmit(collected)).toEqual([working("turn 0"), idle, working("turn 10")]);
    expect(collected.isDeferred).toBe(true);
  });

  it("keeps a change over the allowance until something urgent comes", () => {
    const facts = known("idle", { allowed: 0 });
    const first = collectReports(NOTHING_COLLECTED, [working()], facts);
    expect(isUrgent(first)).toBe(false);
    const second = collectReports(first, [{ kind: "received", id: "m-1" }], facts);
    expect(isUrgent(second)).toBe(true);
    expect(toSubmit(second)).toEqual([working(), { kind: "received", id: "m-1" }]);
  });

  it("records nothing if it is back where it was", () => {
    const facts = known("idle", { allowed: 0 });
    const first = collectReports(NOTHING_COLLECTED, [working()], facts);
    expect(toSubmit(collectReports(first, [idle], facts))).toEqual([]);
  });
});

describe("rate-limit windows", () => {
  it("are live state: the newest report counts, and none is recorded", () => {
    const report = (usedPercent: number): AgentSignal => ({
      kind: "windows",
      windows: [{ name: "5 h", usedPercent, resetsAt: null }],
    });
    const collected = collectReports(NOTHING_COLLECTED, [report(1), working(), report(2)], known("working"));
    expect(collected.windows).toEqual([{ name: "5 h", usedPercent: 2, resetsAt: null }]);
    expect(toSubmit(collected)).toEqual([]);
    expect(collected.newest).toEqual(working());
  });
});

describe("usage", () => {
  it("is summed per model, and waits for something urgent", () => {
    const signals = [usage(10, 0, "big"), usage(5, 0, "small"), usage(20, 0, "big")];
    const collected = collectReports(NOTHING_COLLECTED, signals, known("working"));
    expect(isUrgent(collected)).toBe(false);
    expect(toSubmit(collected)).toEqual([
      { kind: "usage", inputTokens: 30, outputTokens: 2, costUsd: 0, model: "big" },
      usage(5, 0, "small"),
    ]);
  });

  it("keeps tokens with money, tokens without and money alone separate", () => {
    const alone: AgentSignal = { kind: "usage", inputTokens: 0, outputTokens: 0, costUsd: 1 };
    const signals = [usage(10, 0.5), usage(10), alone, usage(10, 0.25), usage(7), alone];
    expect(submitted(signals, known("working"))).toEqual([
      { kind: "usage", inputTokens: 20, outputTokens: 2, costUsd: 0.75 },
      { kind: "usage", inputTokens: 17, outputTokens: 2, costUsd: 0 },
      { kind: "usage", inputTokens: 0, outputTokens: 0, costUsd: 2 },
    ]);
  });

  it("never counts more cached tokens than tokens", () => {
    const signals: readonly AgentSignal[] = [
      { kind: "usage", inputTokens: 10, outputTokens: 0, costUsd: 0, cachedTokens: 99 },
      { kind: "usage", inputTokens: 10, outputTokens: 0, costUsd: 0, cachedTokens: 4 },
    ];
    expect(submitted(signals, known("working"))).toMatchObject([{ inputTokens: 20, cachedTokens: 14 }]);
  });

  it("is submitted before the end of its turn", () => {
    expect(submitted([done, usage(3)], known("working")).map(({ kind }) => kind)).toEqual(["usage", "done"]);
  });
});

describe("the newest report", () => {
  it.each<[string, readonly AgentSignal[], AgentSignal | null | undefined]>([
    ["is the last status", [working("a"), working("b")], working("b")],
    ["survives usage", [working("a"), usage(1)], working("a")],
    ["survives a receipt", [working("a"), { kind: "received", id: "m-1" }], working("a")],
    ["yields to a fact that says more", [working("a"), done], null],
    ["is absent without a report", [usage(1)], undefined],
  ])("%s", (_, signals, newest) => {
    expect(collectReports(NOTHING_COLLECTED, signals, known("working")).newest).toEqual(newest);
  });
});
