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
  mergeability: { kind: "clean", files: [] },
  mergeRequest: null,
  refusal: null,
  threads: [],
  sessionId: "tern-1",
};

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
  it("is met in every cell when nothing blocks the merge", () => {
    expect(toGate(READY).map(({ state }) => state)).toEqual(["met", "met", "met"]);
    expect(summarizeGate(READY).title).toBe("Ready to merge");
  });

  it.each([
    ["failed", { state: "agent", title: "1 of 2 checks failed", detail: "unit; sent to the agent" }],
    ["running", { state: "time", title: "1 of 2 checks running", detail: "unit" }],
  ])("says who clears a check that is %s", (state, expected) => {
    expect(cell({ checks: [check("lint", "passed"), check("unit", state)] }, "checks")).toMatchObject(expected);
  });

  it("leaves to a person what no agent works on", () => {
    const facts = {
      sessionId: null,
      checks: [check("unit", "failed")],
      mergeability: { kind: "conflict", files: ["a"] },
    };
    expect(cell(facts, "checks")).toMatchObject({ state: "you" });
    expect(cell(facts, "conflicts")).toMatchObject({ state: "you", title: "Conflicts with main", detail: "a" });
  });

  it("asks for approvals by their number", () => {
    expect(cell({ blockers: ["needs 2 approvals"] }, "approvals")).toMatchObject({
      state: "you",
      title: "2 approvals missing",
    });
    expect(cell({ approvals: [] }, "approvals")).toMatchObject({ state: "met", title: "No approval needed" });
  });

  it("gives a thread to whoever has the next word", () => {
    expect(cell({ threads: [thread(true)] }, "threads")).toMatchObject({ state: "you", title: "1 unresolved thread" });
    expect(cell({ threads: [thread(false)] }, "threads")).toMatchObject({ state: "agent" });
  });

  it("has a cell for everything else that holds the merge", () => {
    const keys = toGate({ ...READY, blockers: ["label `hold`", "ada requested changes"], refusal: "not fast" });
    expect(keys.map(({ detail }) => detail)).toEqual(
      expect.arrayContaining(["label `hold`", "ada requested changes", "not fast"]),
    );
  });
});

it("says what a requested merge waits for", () => {
  const mergeRequest = { by: "ada", strategy: "squash", reason: null, override: null };
  expect(summarizeGate({ ...READY, mergeRequest, blockers: ["check `unit` running"] })).toEqual({
    title: "Merge requested",
    text: "It merges once this clears: check `unit` running. A new commit cancels that.",
  });
});
