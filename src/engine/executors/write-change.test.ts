import { describe, expect, it } from "vitest";
import { newOnForge } from "../../core/change/evolve-forge.ts";
import type { ForgeWrite } from "../../core/change/state.ts";
import { PluginError } from "../../core/errors.ts";
import { aChange, aCheckRun } from "../../testing/change-builders.ts";
import { depsFor } from "../../testing/engine-bed/deps.ts";
import { createBedWorld } from "../../testing/engine-bed/world.ts";
import type { FakeForge } from "../../testing/fakes/forge.ts";
import type { EffectDeps } from "../executor.ts";
import { writeChange } from "./write-change.ts";

const SPEC = { kind: "write-change", changeKey: "demo/1", writeId: "w-1" } as const;
const COMMON = { id: "w-1", about: "it" } as const;
const COMMENT: ForgeWrite = { ...COMMON, kind: "comment", commentId: "c-1", author: "ao", text: { inline: "Done." } };
const RERUN: ForgeWrite = { ...COMMON, kind: "rerun", check: "unit", ref: "run-1" };

interface Scene {
  readonly deps: EffectDeps;
  readonly forge: FakeForge;
  /** References of checks that the forge ran again. */
  readonly reruns: string[];
}

function setUp(write: ForgeWrite, ref = "run-1"): Scene {
  const { forge, ...world } = createBedWorld({ isRemote: true });
  if (forge === null) throw new Error("there is no forge");
  const reruns: string[] = [];
  forge.rerun = (_, run) => void reruns.push(run);
  const checks = { unit: aCheckRun({ name: "unit", state: "failed", ref }) };
  const change = aChange({ checks, forge: { ...newOnForge("head1"), writes: [write] } });
  return { deps: depsFor({ ...world, forge }, { change }), forge, reruns };
}

describe("write-change", () => {
  it.each<[string, ForgeWrite, object]>([
    ["a comment, with its text", COMMENT, { kind: "comment", text: "Done." }],
    ["labels", { ...COMMON, kind: "label", add: ["wip"], remove: [] }, { kind: "label", add: ["wip"] }],
    ["that it is closed", { ...COMMON, kind: "close" }, { kind: "close" }],
    ["a resolved thread", { ...COMMON, kind: "resolve", threadId: "t-1", resolved: true }, { threadId: "t-1" }],
  ])("writes %s", async (_, write, written) => {
    const { deps, forge } = setUp(write);
    expect(await writeChange.execute(SPEC, "i", deps)).toEqual({ kind: "change-written" });
    expect(forge.writes).toMatchObject([{ number: 1, write: written }]);
  });

  it("runs a check again, but not one that has run again meanwhile", async () => {
    const wanted = setUp(RERUN);
    await writeChange.execute(SPEC, "i", wanted.deps);
    expect(wanted.reruns).toEqual(["run-1"]);
    const late = setUp(RERUN, "run-2");
    expect(await writeChange.execute(SPEC, "i", late.deps)).toEqual({ kind: "change-written" });
    expect(late.reruns).toEqual([]);
  });

  it.each<[PluginError["category"], object]>([
    ["unavailable", { kind: "effect-held", reason: "down" }],
    ["rate-limited", { kind: "effect-held", reason: "down", retryAfterMs: 5000 }],
    ["auth", { kind: "effect-held", reason: "down" }],
  ])("waits for a forge that is %s", async (category, outcome) => {
    const { deps, forge } = setUp(COMMENT);
    const retry = category === "rate-limited" ? { retryAfterMs: 5000 } : {};
    forge.failure = new PluginError({ plugin: "fake", category, message: "down", ...retry });
    expect(await writeChange.execute(SPEC, "i", deps)).toEqual(outcome);
  });

  it("fails if the forge refuses for good", async () => {
    const { deps, forge } = setUp(COMMENT);
    forge.failure = new PluginError({ plugin: "fake", category: "not-found", message: "no such pull request" });
    await expect(writeChange.execute(SPEC, "i", deps)).rejects.toThrow("no such pull request");
  });

  it("is repeated after a crash, and the forge has it once", async () => {
    const { deps, forge } = setUp(COMMENT);
    await writeChange.execute(SPEC, "i", deps);
    expect(await writeChange.reconcile(SPEC, "i", deps)).toEqual({ kind: "not-done" });
    await writeChange.execute(SPEC, "i", deps);
    expect(forge.writes).toHaveLength(1);
  });

  it("writes nothing that is not wanted any more", async () => {
    const { deps, forge } = setUp(COMMENT);
    expect(await writeChange.execute({ ...SPEC, writeId: "w-2" }, "i", deps)).toEqual({ kind: "change-written" });
    expect(forge.writes).toEqual([]);
  });
});
