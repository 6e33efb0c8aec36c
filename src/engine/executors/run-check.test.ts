import { describe, expect, it } from "vitest";
import { aChange, aCheckRule, aPolicy } from "../../testing/change-builders.ts";
import { depsFor } from "../../testing/engine-bed/deps.ts";
import { type BedWorld, createBedWorld } from "../../testing/engine-bed/world.ts";
import type { EffectDeps, SpecOf } from "../executor.ts";
import { runCheck } from "./run-check.ts";

function setUp(run: string, setup = ""): { world: BedWorld; deps: EffectDeps; spec: SpecOf<"run-check"> } {
  const world = createBedWorld();
  const head = world.repository.commitTo("agent/fix-it", { "a.txt": "content\n" });
  const policy = aPolicy({ checks: { unit: aCheckRule({ run, setup }) } });
  const spec = { kind: "run-check", changeKey: "demo/1", check: "unit", head, attempt: 1 } as const;
  return { world, deps: depsFor(world, { change: aChange({ head }), policy }), spec };
}

describe("run-check", () => {
  it.each([
    ["cat a.txt", "", { state: "passed", code: null, log: { inline: "content" } }],
    ["echo wrong; exit 3", "", { state: "failed", code: 3, log: { inline: "wrong" } }],
    ["cat a.txt", "exit 4", { state: "setup-failed", code: null, log: { inline: "" } }],
  ])("reports `%s` after the set-up `%s`", async (run, setup, answer) => {
    const { deps, spec } = setUp(run, setup);
    expect(await runCheck.execute(spec, "i", deps)).toMatchObject({ kind: "check-ended", ...answer });
  });

  it("gives failures that differ only in numbers the same fingerprint", async () => {
    const outcomes = await Promise.all(
      ["echo 12 ms; exit 1", "echo 7 ms; exit 1"].map((run) => {
        const { deps, spec } = setUp(run);
        return runCheck.execute(spec, "i", deps);
      }),
    );
    const prints = outcomes.map((outcome) => (outcome.kind === "check-ended" ? outcome.fingerprint : null));
    expect(prints[0]).toBe(prints[1]);
  });

  it("is cancelled if the configuration no longer has it, or the commit is outdated", async () => {
    const { world, deps, spec } = setUp("cat a.txt");
    expect(await runCheck.execute({ ...spec, check: "gone" }, "i", deps)).toMatchObject({ state: "cancelled" });
    expect(await runCheck.execute({ ...spec, head: "older" }, "i", deps)).toMatchObject({ state: "cancelled" });
    expect(world.scm.checks.started).toEqual([]);
  });

  it("adopts the attempt of a daemon that died, so its command runs once", async () => {
    const { world, deps, spec } = setUp("cat a.txt");
    world.scripts.scm.loseNext("runCheck", new Error("connection lost"));
    await expect(runCheck.execute(spec, "i", deps)).rejects.toThrow("connection lost");
    expect(await runCheck.reconcile(spec, "i", deps)).toEqual({ kind: "not-done" });
    expect(await runCheck.execute(spec, "i", deps)).toMatchObject({ state: "passed" });
    expect(world.scm.checks.started).toHaveLength(1);
  });
});
