import { describe, expect, it } from "vitest";
import { aChange, aPolicy } from "../../testing/change-builders.ts";
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

  it("measures what the rule in force holds, also in a file of which only some entries count", async () => {
    const world = createBedWorld();
    const script = (test: string) => JSON.stringify({ scripts: { test, start: "node ." } });
    world.repository.commitTo("main", { "package.json": script("node check.mjs") });
    const commands = [{ run: "npm test", source: { kind: "check", name: "unit" } }] as const;
    const policy = aPolicy({ held: { key: "k1", files: [], commands } });
    const measure = async (files: Readonly<Record<string, string>>) => {
      const head = world.repository.commitTo("agent/fix-it", files);
      const baseHead = world.repository.head("main") ?? "";
      const spec = { kind: "try-merge", changeKey: "demo/1", head, baseHead, measure: true } as const;
      const deps = { ...depsFor(world, { change: aChange() }), policyOf: () => policy };
      const outcome = await tryMerge.execute(spec, "i", deps);
      return outcome.kind === "merge-tried" ? outcome.size?.held : expect.unreachable();
    };
    expect(await measure({ "a.txt": "mine\n" })).toEqual({ rule: "k1", paths: [], count: 0 });
    const [{ source }] = commands;
    expect(await measure({ "check.mjs": "mine\n" })).toMatchObject({ paths: [{ path: "check.mjs", source }] });
    const changed = { path: "package.json", entry: "test", source };
    expect(await measure({ "package.json": script("true") })).toMatchObject({ count: 2, paths: [{}, changed] });
    world.scripts.scm.failNext("readVersions", new Error("git is gone"));
    expect(await measure({ "b.txt": "mine\n" })).toBeUndefined();
  });
});
