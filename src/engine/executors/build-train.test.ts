import { describe, expect, it } from "vitest";
import { aChange } from "../../testing/change-builders.ts";
import { depsFor } from "../../testing/engine-bed/deps.ts";
import { type BedWorld, createBedWorld } from "../../testing/engine-bed/world.ts";
import type { EffectDeps, SpecOf } from "../executor.ts";
import { buildTrain } from "./build-train.ts";

function setUp(): { readonly world: BedWorld; readonly deps: EffectDeps; readonly spec: SpecOf<"build-train"> } {
  const world = createBedWorld();
  const head = world.repository.commitTo("agent/fix-it", { "a.txt": "a\n" });
  const cars = [{ key: "demo/1", head, strategy: "squash" }] as const;
  const base = world.repository.head("main") ?? "";
  const spec = { kind: "build-train", projectId: "demo", batch: 1, base, cars } as const;
  return { world, deps: depsFor(world, { change: aChange({ head }) }), spec };
}

describe("build-train", () => {
  it("builds the merge as a commit that no branch has", async () => {
    const { world, deps, spec } = setUp();
    const outcome = await buildTrain.execute(spec, "i", deps);
    expect(outcome).toMatchObject({ kind: "train-built", cars: [{ isHeadTree: true, since: [] }], conflicts: [] });
    expect(world.repository.head("main")).toBe(spec.base);
    expect(world.scm.merges).toEqual([]);
  });

  it("lists what main has got since the branch left it", async () => {
    const { world, deps, spec } = setUp();
    const base = world.repository.commitTo("main", { "b.txt": "b\n" });
    expect(await buildTrain.execute({ ...spec, base }, "i", deps)).toMatchObject({
      cars: [{ isHeadTree: false, since: [base] }],
    });
  });

  it("reports the files of a conflict", async () => {
    const { world, deps, spec } = setUp();
    const base = world.repository.commitTo("main", { "a.txt": "theirs\n" });
    expect(await buildTrain.execute({ ...spec, base }, "i", deps)).toEqual({
      kind: "train-built",
      cars: [],
      conflicts: ["a.txt"],
    });
  });

  it("fails where the forge merges by its own rules", async () => {
    const { world, deps, spec } = setUp();
    const { buildMerges: _, ...scm } = world.ports.scm;
    await expect(buildTrain.execute(spec, "i", { ...deps, scmOf: () => scm })).rejects.toThrow("no train");
  });

  it("is repeated after a crash, and gives the same commit", async () => {
    const { world, spec } = setUp();
    const mergeRequest = { by: "ann", strategy: "squash", deleteAfter: false, head: spec.cars[0]?.head ?? "" } as const;
    const request = { ...mergeRequest, reason: null, files: [], notBefore: 0, holds: 0, at: 1000 };
    const deps = depsFor(world, { change: aChange({ head: request.head, mergeRequest: request }) });
    expect(await buildTrain.reconcile(spec, "i", deps)).toEqual({ kind: "not-done" });
    const first = await buildTrain.execute(spec, "i", deps);
    expect(await buildTrain.execute(spec, "i", deps)).toEqual(first);
  });

  it("is kept by the forge until it is released", async () => {
    const { world, deps, spec } = setUp();
    expect(await buildTrain.execute(spec, "i", deps)).toMatchObject({ kind: "train-built", isKept: true });
    const { releaseBatch: _, ...scm } = world.ports.scm;
    expect(await buildTrain.execute(spec, "i", { ...deps, scmOf: () => scm })).not.toHaveProperty("isKept");
  });
});
