import { describe, expect, it } from "vitest";
import type { Scm } from "../../ports/scm.ts";
import { aSession } from "../../testing/builders.ts";
import { depsFor } from "../../testing/engine-bed/deps.ts";
import { type BedWorld, createBedWorld } from "../../testing/engine-bed/world.ts";
import type { EffectDeps, SpecOf } from "../executor.ts";
import { openChange } from "./open-change.ts";

function setUp({ isRemote = false, issue = null }: { isRemote?: boolean; issue?: string | null } = {}): {
  readonly world: BedWorld;
  readonly deps: EffectDeps;
  readonly spec: SpecOf<"open-change">;
} {
  const world = createBedWorld({ isRemote });
  const session = aSession({ branch: "agent/fix-it" });
  const head = world.repository.commitTo(session.branch, { "a.txt": "a\n" });
  const facts = { base: "main", issue, title: "Fix it", body: null, by: "ao" };
  return {
    world,
    deps: depsFor(world, { session }),
    spec: { kind: "open-change", sessionId: session.id, head, ...facts },
  };
}

describe("open-change", () => {
  it("reports the forge's number", async () => {
    const { world, deps, spec } = setUp();
    expect(await openChange.execute(spec, "i", deps)).toEqual({ kind: "change-opened", number: 1, url: null });
    expect(world.scm.pulls).toEqual([{ number: 1, branch: "agent/fix-it", head: spec.head }]);
  });

  it("names the issue that a merge on the forge closes", async () => {
    const bodies: string[] = [];
    for (const isRemote of [true, false]) {
      const { world, deps, spec } = setUp({ isRemote, issue: "7" });
      const scm: Scm = {
        ...world.ports.scm,
        ensureChange: (request) => {
          bodies.push(request.body);
          return world.ports.scm.ensureChange(request);
        },
      };
      const tracker = { ...world.ports.tracker, closingWords: (id: string) => `Fixes octo/demo#${id}` };
      const body = { inline: "Explains it." };
      await openChange.execute({ ...spec, body }, "i", { ...deps, scmOf: () => scm, trackerOf: async () => tracker });
    }
    expect(bodies).toEqual(["Explains it.\n\nFixes octo/demo#7", "Explains it."]);
  });

  it("finds the pull request of a lost answer", async () => {
    const { world, deps, spec } = setUp();
    world.scripts.scm.loseNext("ensureChange", new Error("connection lost"));
    await expect(openChange.execute(spec, "i", deps)).rejects.toThrow("connection lost");
    expect(await openChange.reconcile(spec, "i", deps)).toEqual({ kind: "not-done" });
    expect(await openChange.execute(spec, "i", deps)).toMatchObject({ kind: "change-opened", number: 1 });
    expect(world.scm.pulls).toHaveLength(1);
  });
});
