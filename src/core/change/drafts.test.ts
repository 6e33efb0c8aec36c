import { describe, expect, it } from "vitest";
import { aProject, aSession, aWorld } from "../../testing/builders.ts";
import { aChange, aCheckRun, aPolicy } from "../../testing/change-builders.ts";
import { blockersOf, describeBlocker } from "../merge/blockers.ts";
import { evolveForge, newOnForge } from "./evolve-forge.ts";
import { settleChanges } from "./settle.ts";
import type { ChangeState, ForgeFacts } from "./state.ts";

const policy = aPolicy({ checks: {}, merging: { approvals: 1 } });
const seen = { head: "h1", required: [], blocked: null, isChecked: true, isDraft: true } as const;
const clean = { kind: "clean", head: "h1", baseHead: "b1", files: [], reason: null } as const;

/** A draft that ao opened, with everything done but the review. */
function aDraft(forge: Partial<ForgeFacts> = {}, facts: Partial<ChangeState> = {}): ChangeState {
  const own = { ...newOnForge("h1", true), seen, ...forge };
  return aChange({ head: "h1", forge: own, mergeability: clean, ...facts });
}

function worldOf(change: ChangeState, session: object = {}) {
  const own = aSession({
    id: change.sessionId ?? "s",
    projectId: change.projectId,
    turn: null,
    branchSeen: null,
    ...session,
  });
  const project = aProject({ id: change.projectId, policy, baseHead: "b1" });
  return aWorld({ projects: [project], sessions: [own], changes: [change] });
}

function readyWrites(change: ChangeState, session: object = {}): number {
  const events = settleChanges(worldOf(change, session), 1);
  return events.filter(({ event }) => event.type === "change.write-queued" && event.write.kind === "ready").length;
}

function blockersIn(change: ChangeState): readonly string[] {
  return (blockersOf(worldOf(change), change) ?? []).map((blocker) => describeBlocker(blocker));
}

describe("a draft that ao opened", () => {
  it("becomes ready once nothing is left for the agent, before anyone has approved it", () => {
    expect(readyWrites(aDraft())).toBe(1);
  });

  it.each([
    ["a check runs", { checks: { build: aCheckRun({ name: "build", head: "h1", state: "running", ref: "1" }) } }, {}],
    ["a check is red", { checks: { build: aCheckRun({ name: "build", head: "h1", state: "failed", ref: "1" }) } }, {}],
    ["it conflicts", { mergeability: { ...clean, kind: "conflict" as const, files: ["a"] } }, {}],
    ["the forge has not reported", { forge: { ...newOnForge("h1", true) } }, {}],
    ["the agent works", {}, { turn: { source: "message", at: 1 } }],
  ])("stays a draft while %s", (_name, facts, session) => {
    expect(readyWrites(aDraft({}, facts), session)).toBe(0);
  });

  it("is marked as ready once, and blocks its merge until the forge shows it", () => {
    const write = { id: "w1", about: "draft", kind: "ready" } as const;
    const asked = evolveForge(aDraft(), { type: "change.write-queued", write });
    expect(readyWrites(asked)).toBe(0);
    expect(blockersIn(asked)).toContain("draft until its checks pass");
    const settled = evolveForge(asked, { type: "change.write-settled", id: "w1", reason: null });
    const shown = evolveForge(settled, { type: "change.observed", version: "2", ...seen, isDraft: undefined as never });
    expect(blockersIn(shown)).toEqual(["needs 1 approval"]);
  });

  it("is not marked as ready again after a person converts it back, and says who has to", () => {
    const { isOwnDraft: _, ...theirs } = aDraft().forge ?? newOnForge("h1");
    const change = aChange({ head: "h1", forge: theirs, mergeability: clean });
    expect(readyWrites(change)).toBe(0);
    expect(blockersIn(change)).toContain("a draft on the forge; mark it as ready for review there");
  });

  it("belongs to the person once they mark it as ready themselves", () => {
    const { isDraft: _, ...ready } = seen;
    const change = evolveForge(aDraft(), { type: "change.observed", version: "2", ...ready });
    expect(change.forge?.isOwnDraft).toBeUndefined();
  });
});
