import { describe, expect, it } from "vitest";
import { PluginError } from "../../core/errors.ts";
import type { MergeAnswer } from "../../ports/scm.ts";
import { aChange } from "../../testing/change-builders.ts";
import { depsFor } from "../../testing/engine-bed/deps.ts";
import { type BedWorld, createBedWorld } from "../../testing/engine-bed/world.ts";
import type { EffectDeps, SpecOf } from "../executor.ts";
import { mergeChange } from "./merge-change.ts";

function setUp(): { readonly world: BedWorld; readonly deps: EffectDeps; readonly spec: SpecOf<"merge-change"> } {
  const world = createBedWorld();
  const head = world.repository.commitTo("agent/fix-it", { "a.txt": "a\n" });
  const spec = { kind: "merge-change", changeKey: "demo/1", head, strategy: "squash" } as const;
  return { world, deps: depsFor(world, { change: aChange({ head }) }), spec };
}

describe("merge-change", () => {
  it("merges the requested commit", async () => {
    const { world, deps, spec } = setUp();
    const baseBefore = world.repository.head("main");
    const outcome = await mergeChange.execute(spec, "i", deps);
    expect(outcome).toEqual({ kind: "merged", commit: world.repository.head("main"), baseBefore });
  });

  it("reports a branch that has moved, with its new commit", async () => {
    const { world, deps, spec } = setUp();
    const head = world.repository.commitTo("agent/fix-it", { "a.txt": "b\n" });
    expect(await mergeChange.execute(spec, "i", deps)).toMatchObject({
      kind: "merge-outdated",
      reason: "agent/fix-it has moved since",
      facts: { head, ahead: 2 },
    });
  });

  it("reports a conflict with its files", async () => {
    const { world, deps, spec } = setUp();
    world.repository.commitTo("main", { "a.txt": "theirs\n" });
    expect(await mergeChange.execute(spec, "i", deps)).toMatchObject({
      kind: "merge-outdated",
      reason: "it conflicts with main in a.txt",
    });
  });

  it("reports a branch that is gone", async () => {
    const { world, deps, spec } = setUp();
    world.repository.refs.delete("refs/heads/agent/fix-it");
    expect(await mergeChange.execute(spec, "i", deps)).toMatchObject({ kind: "merge-outdated", facts: null });
  });

  it("reports what it must wait for", async () => {
    const { world, deps, spec } = setUp();
    const waits: MergeAnswer = { kind: "waits", reason: "a person edits it", files: ["a.txt"] };
    const scm = { ...world.ports.scm, merge: async () => waits };
    const outcome = await mergeChange.execute(spec, "i", { ...deps, scmOf: () => scm });
    expect(outcome).toEqual({ kind: "merge-waits", reason: "a person edits it", files: ["a.txt"] });
  });

  it("determines after a lost answer that it is merged, and not before", async () => {
    const { world, deps, spec } = setUp();
    expect(await mergeChange.reconcile(spec, "i", deps)).toEqual({ kind: "not-done" });
    world.scripts.scm.loseNext("merge", new Error("connection lost"));
    await expect(mergeChange.execute(spec, "i", deps)).rejects.toThrow("connection lost");
    expect(await mergeChange.reconcile(spec, "i", deps)).toMatchObject({ kind: "done", outcome: { kind: "merged" } });
    expect(world.scm.merges).toEqual([1]);
  });

  it.each(["unavailable", "rate-limited"] as const)(
    "waits if the forge cannot say that now (%s), and finds the merge later",
    async (category) => {
      const { world, deps, spec } = setUp();
      world.scripts.scm.loseNext("merge", new Error("connection lost"));
      await expect(mergeChange.execute(spec, "i", deps)).rejects.toThrow("connection lost");
      const error = new PluginError({ plugin: "forge", category, message: "down", hint: "Wait.", retryAfterMs: 7000 });
      world.scripts.scm.failNext("reconcileMerge", error);
      expect(await mergeChange.reconcile(spec, "i", deps)).toEqual({
        kind: "done",
        outcome: { kind: "merge-waits", reason: "down Wait.", files: [], retryAfterMs: 7000 },
      });
      expect(await mergeChange.execute(spec, "i", deps)).toMatchObject({ kind: "merged" });
      expect(world.scm.merges).toEqual([1]);
    },
  );
});
