import { describe, expect, it } from "vitest";
import { aSession } from "../../testing/builders.ts";
import { depsFor } from "../../testing/engine-bed/deps.ts";
import { type BedWorld, createBedWorld } from "../../testing/engine-bed/world.ts";
import type { EffectDeps, SpecOf } from "../executor.ts";
import { openChange } from "./open-change.ts";

function setUp(): { readonly world: BedWorld; readonly deps: EffectDeps; readonly spec: SpecOf<"open-change"> } {
  const world = createBedWorld();
  const session = aSession({ branch: "agent/fix-it" });
  const head = world.repository.commitTo(session.branch, { "a.txt": "a\n" });
  const facts = { base: "main", issue: null, title: "Fix it", body: null, by: "ao" };
  return {
    world,
    deps: depsFor(world, { session }),
    spec: { kind: "open-change", sessionId: session.id, head, ...facts },
  };
}

describe("open-change", () => {
  it("reports the number that the forge gave", async () => {
    const { world, deps, spec } = setUp();
    expect(await openChange.execute(spec, "i", deps)).toEqual({ kind: "change-opened", number: 1, url: null });
    expect(world.scm.pulls).toEqual([{ number: 1, branch: "agent/fix-it", head: spec.head }]);
  });

  it("finds the pull request of a lost answer again", async () => {
    const { world, deps, spec } = setUp();
    world.scripts.scm.loseNext("ensureChange", new Error("connection lost"));
    await expect(openChange.execute(spec, "i", deps)).rejects.toThrow("connection lost");
    expect(await openChange.reconcile(spec, "i", deps)).toEqual({ kind: "not-done" });
    expect(await openChange.execute(spec, "i", deps)).toMatchObject({ kind: "change-opened", number: 1 });
    expect(world.scm.pulls).toHaveLength(1);
  });
});
