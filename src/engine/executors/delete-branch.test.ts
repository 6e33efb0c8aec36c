import { describe, expect, it } from "vitest";
import { aChange } from "../../testing/change-builders.ts";
import { depsFor } from "../../testing/engine-bed/deps.ts";
import { createBedWorld } from "../../testing/engine-bed/world.ts";
import { deleteBranch } from "./delete-branch.ts";

describe("delete-branch", () => {
  it("deletes a branch that is at its merged commit, and answers the same again", async () => {
    const world = createBedWorld();
    const head = world.repository.commitTo("agent/fix-it", { "a.txt": "a\n" });
    const deps = depsFor(world, { change: aChange() });
    const spec = { kind: "delete-branch", changeKey: "demo/1", head } as const;
    for (let time = 0; time < 2; time += 1) {
      expect(await deleteBranch.execute(spec, "i", deps)).toMatchObject({ kind: "branch-settled", deleted: true });
    }
    expect(await deleteBranch.reconcile(spec, "i", deps)).toEqual({ kind: "not-done" });
  });

  it("keeps a branch that has moved, with the reason", async () => {
    const world = createBedWorld();
    const head = world.repository.commitTo("agent/fix-it", { "a.txt": "a\n" });
    world.repository.commitTo("agent/fix-it", { "a.txt": "b\n" });
    const deps = depsFor(world, { change: aChange() });
    expect(await deleteBranch.execute({ kind: "delete-branch", changeKey: "demo/1", head }, "i", deps)).toEqual({
      kind: "branch-settled",
      deleted: false,
      reason: "it has moved",
    });
  });
});
