import { describe, expect, it } from "vitest";
import type { SessionState } from "../core/session/state.ts";
import type { TrialMerges, TrialPair } from "../ports/workspace.ts";
import { aSession } from "../testing/builders.ts";
import { createFakeClock } from "../testing/fake-clock.ts";
import { type Comparison, createComparison } from "./compare-workspaces.ts";
import type { EffectDeps } from "./executor.ts";

interface Scene {
  readonly comparison: Comparison;
  /** Sessions that were captured, in order. */
  readonly captured: string[];
  /** Pairs of sessions that were merged, in order. */
  readonly merged: string[];
}

/** A comparison of sessions whose commits are named after them; all pairs conflict. */
function openScene(): Scene {
  const [captured, merged]: [string[], string[]] = [[], []];
  const trials: TrialMerges = {
    capture: async ({ sessionId }) => {
      captured.push(sessionId);
      return `commit of ${sessionId}`;
    },
    merge: async (_, pairs: readonly TrialPair[]) =>
      pairs.map(({ ours, theirs }) => {
        merged.push(`${ours} + ${theirs}`.replaceAll("commit of ", ""));
        return { kind: "conflict", files: ["shared.txt"] };
      }),
    forget: async () => undefined,
  };
  const host = { clock: createFakeClock(1000) };
  const deps = { host, session, workspaceOf: () => ({ trials }), projectOf: () => ({}) } as unknown as EffectDeps;
  return { comparison: createComparison(deps), captured, merged };
}

function session(id: string): SessionState {
  return aSession({ id, workspace: { path: `/work/${id}` } });
}

const [one, two, three] = [session("s-1"), session("s-2"), session("s-3")];

describe("a comparison of some of a project's sessions", () => {
  it("leaves out the others", async () => {
    const { comparison, captured, merged } = openScene();
    const found = await comparison.compare({ sessions: [one, two], others: [three], base: null });
    expect([captured, merged]).toEqual([["s-1", "s-2"], ["s-1 + s-2"]]);
    expect(found).toEqual([{ session: "s-1", other: "s-2", files: ["shared.txt"] }]);
  });

  it("does not capture a session again that was left out for a while", async () => {
    const { comparison, captured } = openScene();
    await comparison.compare({ sessions: [one, two], others: [three], base: null });
    const found = await comparison.compare({ sessions: [one, three], others: [two], base: null });
    expect(found.map(({ other }) => other)).toEqual(["s-3"]);
    await comparison.compare({ sessions: [one, two], others: [three], base: null });
    expect(captured).toEqual(["s-1", "s-2", "s-3"]);
  });

  it("captures a session again that changed while it was left out", async () => {
    const { comparison, captured } = openScene();
    await comparison.compare({ sessions: [one, two], others: [], base: null });
    comparison.forget("s-2");
    await comparison.compare({ sessions: [one], others: [two], base: null });
    await comparison.compare({ sessions: [one, two], others: [], base: null });
    expect(captured).toEqual(["s-1", "s-2", "s-2"]);
  });

  it("captures a session anew that had left the project", async () => {
    const { comparison, captured } = openScene();
    await comparison.compare({ sessions: [one, two], others: [], base: null });
    await comparison.compare({ sessions: [one], others: [], base: null });
    await comparison.compare({ sessions: [one, two], others: [], base: null });
    expect(captured).toEqual(["s-1", "s-2", "s-2"]);
  });

  it("does not capture a large fleet anew at every look", async () => {
    const { comparison, captured } = openScene();
    const sessions = Array.from({ length: 100 }, (_, n) => session(`s-${n}`));
    for (let look = 0; look < 5; look += 1) {
      for (const { id } of sessions) comparison.forget(id);
      await comparison.compare({ sessions, others: [], base: null });
    }
    captured.length = 0;
    await comparison.compare({ sessions, others: [], base: null });
    expect(captured).toEqual([]);
  });
});
