import { describe, expect, it } from "vitest";
import { aChange } from "../../testing/change-builders.ts";
import { depsFor } from "../../testing/engine-bed/deps.ts";
import { type BedWorld, createBedWorld } from "../../testing/engine-bed/world.ts";
import type { EffectDeps, SpecOf } from "../executor.ts";
import { transferChange } from "./transfer-change.ts";

function setUp(isRemote = true): {
  readonly world: BedWorld;
  readonly deps: EffectDeps;
  readonly spec: SpecOf<"transfer-change">;
} {
  const world = createBedWorld({ isRemote });
  const head = world.repository.commitTo("agent/fix-it", { "a.txt": "a\n" });
  const change = aChange({ key: "demo/3", number: 3, branch: "agent/fix-it", head });
  return { world, deps: depsFor(world, { change }), spec: { kind: "transfer-change", changeKey: "demo/3", head } };
}

describe("transfer-change", () => {
  it("reports the number and the page of the forge", async () => {
    const { world, deps, spec } = setUp();
    const opened = { kind: "change-opened", number: 4, url: "https://forge.test/pull/4", isRemote: true };
    expect(await transferChange.execute(spec, "i", deps)).toEqual(opened);
    expect(world.scm.pulls).toEqual([{ number: 4, branch: "agent/fix-it", head: spec.head }]);
  });

  it("finds the pull request of a lost answer again", async () => {
    const { world, deps, spec } = setUp();
    world.scripts.scm.loseNext("ensureChange", new Error("connection lost"));
    await expect(transferChange.execute(spec, "i", deps)).rejects.toThrow("connection lost");
    expect(await transferChange.reconcile(spec, "i", deps)).toEqual({ kind: "not-done" });
    expect(await transferChange.execute(spec, "i", deps)).toMatchObject({ kind: "change-opened", number: 4 });
    expect(world.scm.pulls).toHaveLength(1);
  });

  it("opens nothing where the project has no forge any more", async () => {
    const { world, deps, spec } = setUp(false);
    await expect(transferChange.execute(spec, "i", deps)).rejects.toThrow("not on a remote forge");
    expect(world.scm.pulls).toEqual([]);
  });
});
