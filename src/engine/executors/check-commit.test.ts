import { describe, expect, it } from "vitest";
import { aProject } from "../../testing/builders.ts";
import { aCheckRule, aPolicy } from "../../testing/change-builders.ts";
import { depsFor } from "../../testing/engine-bed/deps.ts";
import { type BedWorld, createBedWorld } from "../../testing/engine-bed/world.ts";
import type { EffectDeps, SpecOf } from "../executor.ts";
import { checkCommit } from "./check-commit.ts";

function setUp(run: string, setup = ""): { world: BedWorld; deps: EffectDeps; spec: SpecOf<"check-commit"> } {
  const world = createBedWorld();
  const commit = world.repository.commitTo("main", { "a.txt": "content\n" });
  const policy = aPolicy({ checks: { unit: aCheckRule({ run, setup }) } });
  const spec = { kind: "check-commit", projectId: "demo", commit, check: "unit", attempt: 1 } as const;
  return { world, deps: depsFor(world, { project: aProject({ baseHead: commit }), policy }), spec };
}

describe("check-commit", () => {
  it.each([
    ["cat a.txt", "", { state: "passed", code: null, log: { inline: "content" } }],
    ["echo wrong; exit 3", "", { state: "failed", code: 3, log: { inline: "wrong" } }],
    ["cat a.txt", "exit 4", { state: "setup-failed", code: null, log: { inline: "" } }],
  ])("reports `%s` after the set-up `%s`", async (run, setup, answer) => {
    const { deps, spec } = setUp(run, setup);
    expect(await checkCommit.execute(spec, "i", deps)).toMatchObject({ kind: "check-ended", ...answer });
  });

  it("is cancelled if the configuration no longer has it, or nobody wants that commit any more", async () => {
    const { world, deps, spec } = setUp("cat a.txt");
    expect(await checkCommit.execute({ ...spec, check: "gone" }, "i", deps)).toMatchObject({ state: "cancelled" });
    expect(await checkCommit.execute({ ...spec, commit: "older" }, "i", deps)).toMatchObject({ state: "cancelled" });
    expect(world.scm.checks.started).toEqual([]);
  });

  it("reports that the commit of a batch is gone, instead of a failed check", async () => {
    const { world, spec } = setUp("cat a.txt");
    const car = {
      key: "demo/1",
      head: "h1",
      strategy: "squash",
      commit: spec.commit,
      isHeadTree: false,
      since: [],
    } as const;
    const batch = { number: 1, base: "b0", cars: [car], built: [car], at: 0 };
    const train = { batch, batches: 1, suspects: [], order: [], pausedBy: null };
    const policy = aPolicy({ checks: { unit: aCheckRule({ run: "cat a.txt" }) } });
    const deps = depsFor(world, { project: aProject({ baseHead: "b0", train }), policy });
    const gone = { kind: "setup-failed", log: "no such commit", tookMs: 0 } as const;
    const scm = { ...world.ports.scm, runCheck: async () => gone };
    const answer = (isThere: boolean) =>
      checkCommit.execute(spec, "i", { ...deps, scmOf: () => ({ ...scm, hasCommit: async () => isThere }) });
    expect(await answer(false)).toEqual({ kind: "train-lost" });
    expect(await answer(true)).toMatchObject({ kind: "check-ended", state: "setup-failed" });
  });

  it("adopts the attempt of a daemon that died, so its command runs once", async () => {
    const { world, deps, spec } = setUp("cat a.txt");
    world.scripts.scm.loseNext("runCheck", new Error("connection lost"));
    await expect(checkCommit.execute(spec, "i", deps)).rejects.toThrow("connection lost");
    expect(await checkCommit.reconcile(spec, "i", deps)).toEqual({ kind: "not-done" });
    expect(await checkCommit.execute(spec, "i", deps)).toMatchObject({ state: "passed" });
    expect(world.scm.checks.started).toHaveLength(1);
  });
});
