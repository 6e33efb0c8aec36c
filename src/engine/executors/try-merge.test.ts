import { describe, expect, it } from "vitest";
import { aChange } from "../../testing/change-builders.ts";
import { depsFor } from "../../testing/engine-bed/deps.ts";
import { createBedWorld } from "../../testing/engine-bed/world.ts";
import { tryMerge } from "./try-merge.ts";

describe("try-merge", () => {
  it.each([
    ["b.txt", "known", { result: "clean", files: [], reason: null }],
    ["a.txt", "known", { result: "conflict", files: ["a.txt"], reason: null }],
    ["b.txt", "missing", { result: "unknown", files: [], reason: "there is no commit missing" }],
  ])("reports what a change of %s on the base means for a %s commit", async (file, which, answer) => {
    const world = createBedWorld();
    const own = world.repository.commitTo("agent/fix-it", { "a.txt": "mine\n" });
    const baseHead = world.repository.commitTo("main", { [file]: "theirs\n" });
    const head = which === "known" ? own : which;
    const spec = { kind: "try-merge", changeKey: "demo/1", head, baseHead } as const;
    const deps = depsFor(world, { change: aChange() });
    expect(await tryMerge.execute(spec, "i", deps)).toEqual({ kind: "merge-tried", ...answer });
    expect(await tryMerge.reconcile(spec, "i", deps)).toEqual({ kind: "not-done" });
  });

  it("measures what it tries if a policy needs that, and reports if it cannot", async () => {
    const world = createBedWorld();
    const head = world.repository.commitTo("agent/fix-it", { "a.txt": "mine\n" });
    const baseHead = world.repository.head("main") ?? "";
    const spec = { kind: "try-merge", changeKey: "demo/1", head, baseHead, measure: true } as const;
    const deps = depsFor(world, { change: aChange() });
    const size = { files: 1, added: 1, removed: 0, paths: ["a.txt"] };
    expect(await tryMerge.execute(spec, "i", deps)).toMatchObject({ result: "clean", size });
    world.scripts.scm.failNext("countChanges", new Error("git is gone"));
    expect(await tryMerge.execute(spec, "i", deps)).toMatchObject({ result: "clean", size: null });
  });
});
