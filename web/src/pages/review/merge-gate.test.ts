import { describe, expect, it } from "vitest";
import { summarizeGate, toGate } from "./merge-gate.ts";

type Facts = Parameters<typeof toGate>[0];

const check = (name: string, state: string) =>
  ({
    name,
    state,
    required: true,
    head: "1",
    attempt: 1,
    code: null,
    phase: null,
    startedAt: null,
    tookMs: null,
    at: "",
  }) as const;

const READY: Facts = {
  phase: "open",
  base: "main",
  checks: [check("lint", "passed"), check("unit", "passed")],
  approvals: ["ada"],
  blockers: [],
  rules: [{ kind: "approvals", rule: "approvals", verdict: "met", text: "approved by ada", missing: 0 }],
  mergeability: { kind: "clean", files: [] },
  mergeRequest: null,
  refusal: null,
  threads: [],
  sessionId: "tern-1",
};

type Rule = Facts["rules"][number];
const rule = (kind: Rule["kind"], verdict: Rule["verdict"], text: string, more: Partial<Rule> = {}): Rule => ({
  ...{ kind, rule: kind, verdict, text },
  ...more,
});

const thread = (byAgent: boolean) =>
  ({
    id: "t",
    reviewId: "r",
    path: "a.ts",
    line: 1,
    resolvedBy: null,
    comments: [{ id: "c", author: "x", byAgent, text: "", at: "" }],
  }) as const;

const cell = (changes: Partial<Facts>, key: string) => toGate({ ...READY, ...changes }).find((one) => one.key === key);

describe("the merge gate", () => {
  it("is met in every cell if nothing blocks the merge", () => {
    expect(toGate(READY).map(({ state }) => state)).toEqual(["met", "met", "met"]);
    expect(summarizeGate(READY).title).toBe("Ready to merge");
  });

  it.each([
    ["failed", { state: "bad", title: "unit failed", detail: "unit; sent to the agent", log: "unit" }],
    ["running", { state: "time", title: "1 of 2 checks running", detail: "unit" }],
  ])("shows who clears a check that is %s", (state, expected) => {
    expect(cell({ checks: [check("lint", "passed"), check("unit", state)] }, "checks")).toMatchObject(expected);
  });

  it("names the failed check and how it ended, or how many failed", () => {
    const failed = { ...check("unit", "failed"), code: 1 };
    expect(cell({ checks: [failed] }, "checks")).toMatchObject({ title: "unit failed, exit 1", log: "unit" });
    const both = [check("lint", "timed-out"), failed];
    expect(cell({ checks: both }, "checks")).toMatchObject({ title: "2 of 2 checks failed", log: "lint" });
  });

  it("leaves to a person what no agent works on", () => {
    const facts = {
      sessionId: null,
      checks: [check("unit", "failed")],
      mergeability: { kind: "conflict", files: ["a"] },
    };
    expect(cell(facts, "checks")).toMatchObject({ state: "bad", detail: "unit" });
    expect(cell(facts, "conflicts")).toMatchObject({ state: "you", title: "Conflicts with main", detail: "a" });
  });

  it("shows the number of missing approvals", () => {
    const rules = [rule("approvals", "blocking", "needs 2 approvals", { missing: 2 })];
    expect(cell({ rules }, "approvals")).toMatchObject({ state: "you", title: "2 approvals missing" });
    expect(cell({ approvals: [] }, "approvals")).toMatchObject({ state: "met", title: "No approval needed" });
  });

  it("assigns a thread to whoever has to reply next", () => {
    expect(cell({ threads: [thread(true)] }, "threads")).toMatchObject({ state: "you", title: "1 unresolved thread" });
    expect(cell({ threads: [thread(false)] }, "threads")).toMatchObject({ state: "agent" });
  });

  it.each([
    ["a label", rule("label", "blocking", "label `hold`"), { state: "you", title: "Held by a label" }],
    ["requested changes", rule("changes-requested", "blocking", "ada requested changes"), { state: "agent" }],
    ["quiet hours", rule("quiet-hours", "waiting", "nothing is merged until 06:00"), { state: "time" }],
    ["a pause", rule("pause", "waiting", "paused"), { state: "you", title: "Paused" }],
    ["a person's override", rule("size", "overridden", "changes 40 files"), { state: "met" }],
  ])("has a cell for %s", (_, held, expected) => {
    expect(cell({ rules: [...READY.rules, held] }, held.rule)).toMatchObject({ ...expected, detail: held.text });
  });

  it("has no cell for a met rule, and one for a failed merge", () => {
    const keys = toGate({ ...READY, rules: [rule("label", "met", "not set")], refusal: "not fast" }).map(
      ({ key }) => key,
    );
    expect(keys).toEqual(["checks", "conflicts", "approvals", "refusal"]);
  });
});

it("shows what a requested merge waits for", () => {
  const mergeRequest = { by: "ada", strategy: "squash", reason: null, override: null };
  expect(summarizeGate({ ...READY, mergeRequest, blockers: ["check `unit` running"] })).toEqual({
    title: "Merge requested",
    text: "It merges once this clears: check `unit` running. A new commit cancels that.",
  });
});

describe("the gate of a merged pull request", () => {
  const merged: Facts = {
    ...READY,
    phase: "merged",
    proof: {
      ...{ commit: "5d6e7f8a9b0c1d2e", by: "ao", strategy: "squash", at: "", isRecorded: true, approvals: ["ada"] },
      rules: [{ rule: "quiet hours", verdict: "overridden", text: "until 08:00" }],
      checks: [
        {
          ...{ name: "unit", isRequired: true, state: "passed", code: 0 },
          ...{ commit: "5d6e7f8a9b0c1d2e", tree: "result", tookMs: 1, text: "passed, exactly what was merged" },
        },
      ],
      override: "the release waits",
      cost: null,
    },
  };

  it("says what was merged, on what the checks ran, who approved, and what was overridden", () => {
    expect(summarizeGate(merged)).toEqual({ title: "Merged", text: "as 5d6e7f8 by ao (squash)" });
    expect(toGate(merged).map(({ title, detail }) => `${title}: ${detail}`)).toEqual([
      "Merged against the rules: the release waits",
      "quiet hours, overridden: until 08:00",
      "unit: passed, exactly what was merged",
      "Approved: by ada",
    ]);
  });

  it("is empty if the pull request was closed instead", () => {
    expect(toGate({ ...READY, phase: "closed" })).toEqual([]);
  });
});
