import { describe, expect, it } from "vitest";
import type { RemoveOutcome, RemoveWorkspace } from "../../ports/workspace.ts";
import { aSession } from "../../testing/builders.ts";
import { depsFor } from "../../testing/engine-bed/deps.ts";
import { createBedWorld } from "../../testing/engine-bed/world.ts";
import { createWorkspace } from "./create-workspace.ts";
import { removeWorkspace } from "./remove-workspace.ts";

const spec = { kind: "remove-workspace", sessionId: "demo-fix-it", generation: 1 } as const;
const create = { kind: "create-workspace", sessionId: "demo-fix-it", generation: 1, restore: false } as const;

describe("remove-workspace", () => {
  it("saves uncommitted work once, however often it is called", async () => {
    const world = createBedWorld();
    const deps = depsFor(world, { session: aSession() });
    await createWorkspace.execute(create, "i", deps);
    await world.machine.host.fs.writeText("/repo/.worktrees/fix-it/draft.txt", "mine");
    const answer = { kind: "workspace-removed", preservedRef: "refs/ao/preserved/demo-fix-it/1" };
    expect(await removeWorkspace.execute(spec, "i", deps)).toEqual(answer);
    expect(await removeWorkspace.reconcile(spec, "i", deps)).toEqual({ kind: "not-done" });
    expect(await removeWorkspace.execute(spec, "i", deps)).toEqual(answer);
  });

  it("passes preRemove the environment of the project's commands", async () => {
    const world = createBedWorld();
    const { workspace } = world.ports;
    const environments: unknown[] = [];
    const remove = (request: RemoveWorkspace): Promise<RemoveOutcome> => {
      environments.push(request.env);
      return workspace.remove(request);
    };
    const projectEnvironment = async (...of: readonly unknown[]): Promise<Record<string, string>> => ({
      OF: of.join(),
    });
    const workspaceOf = () => ({ ...workspace, remove });
    const deps = { ...depsFor(world, { session: aSession() }), workspaceOf, projectEnvironment };
    await createWorkspace.execute(create, "i", deps);
    await removeWorkspace.execute(spec, "i", deps);
    expect(environments).toEqual([{ OF: "demo,demo-fix-it" }]);
  });

  it("reports why a folder stays", async () => {
    const world = createBedWorld();
    const deps = depsFor(world, { session: aSession() });
    await createWorkspace.execute(create, "i", deps);
    world.workspace.obstacle = "a merge is in progress";
    expect(await removeWorkspace.execute(spec, "i", deps)).toEqual({
      kind: "workspace-kept",
      reason: "a merge is in progress",
    });
  });

  it("has nothing to do for a session without a folder", async () => {
    const world = createBedWorld();
    const deps = depsFor(world, { session: aSession({ workspace: { path: null } }) });
    expect(await removeWorkspace.execute(spec, "i", deps)).toEqual({ kind: "workspace-removed", preservedRef: null });
    expect(world.scripts.workspace.count("remove")).toBe(0);
  });
});
