import { describe, expect, it } from "vitest";
import { aSession } from "../../testing/builders.ts";
import { depsFor } from "../../testing/engine-bed/deps.ts";
import { createBedWorld } from "../../testing/engine-bed/world.ts";
import { createWorkspace } from "./create-workspace.ts";
import { readBranch } from "./read-branch.ts";

const spec = { kind: "read-branch", sessionId: "demo-fix-it", turn: 1 } as const;
const create = { kind: "create-workspace", sessionId: "demo-fix-it", generation: 1, restore: false } as const;

describe("read-branch", () => {
  it("reports commits and uncommitted changes", async () => {
    const world = createBedWorld();
    const deps = depsFor(world, { session: aSession() });
    await createWorkspace.execute(create, "i", deps);
    await world.machine.host.fs.writeText("/repo/.worktrees/fix-it/draft.txt", "mine");
    const head = world.repository.head("main");
    expect(await readBranch.execute(spec, "i", deps)).toMatchObject({
      kind: "branch-read",
      facts: { head, baseHead: head, ahead: 0, uncommitted: { count: 1, names: ["draft.txt"] } },
    });
    expect(await readBranch.reconcile(spec, "i", deps)).toEqual({ kind: "not-done" });
  });

  it("reports commits even if the folder cannot be read", async () => {
    const world = createBedWorld();
    world.repository.commitTo("agent/fix-it", { "a.txt": "a\n" });
    world.scripts.workspace.failNext("readChanges", new Error("permission denied"));
    const outcome = await readBranch.execute(spec, "i", depsFor(world, { session: aSession() }));
    expect(outcome).toMatchObject({ kind: "branch-read", facts: { ahead: 1 } });
    expect(outcome).not.toHaveProperty("facts.uncommitted");
  });

  it("reports a missing branch", async () => {
    const deps = depsFor(createBedWorld(), { session: aSession() });
    expect(await readBranch.execute(spec, "i", deps)).toEqual({ kind: "branch-read", facts: null });
  });
});

describe("the lines that a branch changes", () => {
  const world = createBedWorld();
  const head = world.repository.commitTo("agent/fix-it", { "a.txt": "one\ntwo\n" });
  const lines = { added: 2, removed: 0, files: 1 };
  const seen = (facts: object) => ({ turn: 0, head, ahead: 1, at: 1, ...facts });

  it("are counted for a new commit", async () => {
    const deps = depsFor(world, { session: aSession() });
    expect(await readBranch.execute(spec, "i", deps)).toMatchObject({ facts: { ahead: 1, lines } });
  });

  it("are not counted again for the same commit", async () => {
    world.scripts.scm.failNext("countChanges", new Error("must not be called"));
    const deps = depsFor(world, { session: aSession({ branchSeen: seen({ lines: { ...lines, files: 7 } }) }) });
    expect(await readBranch.execute(spec, "i", deps)).toMatchObject({ facts: { lines: { files: 7 } } });
  });

  it("are omitted if they cannot be counted", async () => {
    const deps = depsFor(world, { session: aSession({ branchSeen: seen({}) }) });
    const outcome = await readBranch.execute(spec, "i", deps);
    expect(outcome).toMatchObject({ facts: { ahead: 1 } });
    expect(outcome).not.toHaveProperty("facts.lines");
  });
});
