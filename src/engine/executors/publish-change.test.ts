import { describe, expect, it } from "vitest";
import { newOnForge } from "../../core/change/evolve-forge.ts";
import type { ForgeFacts } from "../../core/change/state.ts";
import { aChange } from "../../testing/change-builders.ts";
import { depsFor } from "../../testing/engine-bed/deps.ts";
import { type BedWorld, createBedWorld } from "../../testing/engine-bed/world.ts";
import type { EffectDeps, SpecOf } from "../executor.ts";
import { publishChange } from "./publish-change.ts";

interface Scene {
  readonly world: BedWorld;
  readonly deps: EffectDeps;
  readonly spec: SpecOf<"publish-change">;
  /** The commits of the forge's branches. */
  readonly branches: Map<string, string>;
}

/** A branch that is one commit ahead of the forge. */
function setUp(facts: Partial<ForgeFacts> = {}, isRemote = true): Scene {
  const world = createBedWorld({ isRemote });
  const published = world.repository.commitTo("agent/fix-it", { "a.txt": "a\n" });
  const head = world.repository.commitTo("agent/fix-it", { "a.txt": "b\n" });
  const branches = world.forge?.branches ?? new Map<string, string>();
  branches.set("agent/fix-it", published);
  const change = aChange({ head, branch: "agent/fix-it", forge: { ...newOnForge(published), ...facts } });
  return {
    world,
    deps: depsFor(world, { change }),
    spec: { kind: "publish-change", changeKey: "demo/1", head },
    branches,
  };
}

describe("publish-change", () => {
  it("pushes the commit", async () => {
    const { deps, spec, branches } = setUp();
    expect(await publishChange.execute(spec, "i", deps)).toEqual({ kind: "change-published" });
    expect(branches.get("agent/fix-it")).toBe(spec.head);
  });

  it("pushes to the branch of a fork", async () => {
    const { deps, spec, branches } = setUp({ fork: { repository: "bob/demo", branch: "patch-1" } });
    await publishChange.execute(spec, "i", deps);
    expect(branches.get("patch-1")).toBe(spec.head);
  });

  it("reports somebody else's commit instead of overwriting it", async () => {
    const { deps, spec, branches } = setUp();
    branches.set("agent/fix-it", "foreign");
    expect(await publishChange.execute(spec, "i", deps)).toEqual({ kind: "change-diverged", head: "foreign" });
    expect(branches.get("agent/fix-it")).toBe("foreign");
  });

  it("is repeated after a crash: pushing twice changes nothing", async () => {
    const { deps, spec, branches } = setUp();
    await publishChange.execute(spec, "i", deps);
    expect(await publishChange.reconcile(spec, "i", deps)).toEqual({ kind: "not-done" });
    expect(await publishChange.execute(spec, "i", deps)).toEqual({ kind: "change-published" });
    expect(branches.get("agent/fix-it")).toBe(spec.head);
  });

  it("pushes nothing where the project has no forge any more", async () => {
    const { deps, spec } = setUp({}, false);
    await expect(publishChange.execute(spec, "i", deps)).rejects.toThrow("not on a remote forge");
  });
});
