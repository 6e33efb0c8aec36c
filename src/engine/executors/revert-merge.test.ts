import { describe, expect, it } from "vitest";
import type { ChangeState } from "../../core/change/state.ts";
import { aChange } from "../../testing/change-builders.ts";
import { depsFor } from "../../testing/engine-bed/deps.ts";
import { type BedWorld, createBedWorld } from "../../testing/engine-bed/world.ts";
import type { EffectDeps, SpecOf } from "../executor.ts";
import { revertMerge } from "./revert-merge.ts";

const SPEC: SpecOf<"revert-merge"> = {
  kind: "revert-merge",
  projectId: "demo",
  key: "demo/1",
  commit: "merged",
  check: "unit",
};

/** A merged pull request of an issue that the merge closed. */
function setUp(facts: Partial<ChangeState> = {}): { readonly world: BedWorld; readonly deps: EffectDeps } {
  const world = createBedWorld();
  const baseBefore = world.repository.head("main") ?? "";
  const head = world.repository.commitTo("agent/fix-it", { "a.txt": "a\n" });
  const commit = world.repository.commitTo("main", { "a.txt": "a\n" });
  const merged = { commit, baseBefore, by: "ao", strategy: "squash", deleteAfter: false, at: 1 } as const;
  world.tracker.add({ title: "Fix it", body: "", labels: [], dependsOn: [], state: "closed" });
  const change = aChange({ head, phase: "merged", merged, issue: "1", ...facts });
  return { world, deps: depsFor(world, { change }) };
}

const stateOf = async ({ ports }: BedWorld): Promise<string | undefined> => (await ports.tracker.get(["1"]))[0]?.state;

describe("revert-merge", () => {
  it("reverts the merge with a new commit and reopens the issue", async () => {
    const { world, deps } = setUp();
    const outcome = await revertMerge.execute(SPEC, "i", deps);
    expect(outcome).toEqual({ kind: "merge-reverted", commit: world.repository.head("main") });
    expect(await stateOf(world)).toBe("open");
  });

  it("finds the revert of a lost answer again", async () => {
    const { world, deps } = setUp();
    world.scripts.scm.loseNext("revertMerge", new Error("connection lost"));
    await expect(revertMerge.execute(SPEC, "i", deps)).rejects.toThrow("connection lost");
    const reverted = world.repository.head("main");
    expect(await revertMerge.reconcile(SPEC, "i", deps)).toEqual({ kind: "not-done" });
    expect(await revertMerge.execute(SPEC, "i", deps)).toEqual({ kind: "merge-reverted", commit: reverted });
    expect(world.repository.head("main")).toBe(reverted);
  });

  it("reports a merge that later changes build on, and leaves the issue closed", async () => {
    const { world, deps } = setUp();
    world.repository.commitTo("main", { "a.txt": "later\n" });
    expect(await revertMerge.execute(SPEC, "i", deps)).toMatchObject({
      kind: "failed",
      message: "Later changes in a.txt build on it.",
    });
    expect(await stateOf(world)).toBe("closed");
  });

  it("counts as done although the tracker cannot be written", async () => {
    const { world, deps } = setUp();
    world.scripts.tracker.failNext("edit", new Error("no permission"));
    expect(await revertMerge.execute(SPEC, "i", deps)).toMatchObject({ kind: "merge-reverted" });
    expect(world.machine.logged).toContainEqual(
      expect.objectContaining({ level: "warn", message: "an issue could not be reopened" }),
    );
  });

  it("reports a pull request that is not merged", async () => {
    const { deps } = setUp({ phase: "open", merged: null });
    expect(await revertMerge.execute(SPEC, "i", deps)).toMatchObject({ kind: "failed", hint: "Revert it by hand." });
  });
});
