import { describe, expect, it } from "vitest";
import type { CreateWorkspace } from "../../ports/workspace.ts";
import { aSession } from "../../testing/builders.ts";
import { depsFor } from "../../testing/engine-bed/deps.ts";
import { createBedWorld } from "../../testing/engine-bed/world.ts";
import { createWorkspace } from "./create-workspace.ts";

const spec = { kind: "create-workspace", sessionId: "demo-fix-it", generation: 1, restore: false } as const;
const session = aSession({ workspace: { state: "none", path: null } });

describe("create-workspace", () => {
  it("reports the folder, branch and commit", async () => {
    const world = createBedWorld();
    const head = world.repository.head("main");
    expect(await createWorkspace.execute(spec, "i", depsFor(world, { session }))).toEqual({
      kind: "workspace-created",
      path: "/repo/.worktrees/fix-it",
      branch: "agent/fix-it",
      head,
      baseCommit: head,
      restoredFrom: null,
      notes: [],
    });
  });

  it("starts from the newest commit of a remote forge, or the last one fetched", async () => {
    const world = createBedWorld({ isRemote: true });
    const { scm } = world.ports;
    const newest = world.repository.head("main") ?? "";
    world.repository.commitTo("main", { "mine.txt": "not pushed\n" });
    let fetches = 0;
    const readHead = async (): Promise<string> => newest;
    const fetchBase = async (): Promise<void> => {
      fetches += 1;
      if (fetches > 1) throw new Error("the forge is down");
    };
    const remote = scm.remote === undefined ? {} : { remote: { ...scm.remote, fetchBase } };
    for (const generation of [1, 2]) {
      const other = aSession({ id: `demo-${generation}`, folder: `f${generation}`, branch: `agent/${generation}` });
      const deps = { ...depsFor(world, { session: other }), scmOf: () => ({ ...scm, readHead, ...remote }) };
      const outcome = await createWorkspace.execute({ ...spec, sessionId: other.id }, "i", deps);
      expect(outcome).toMatchObject({ kind: "workspace-created", head: newest });
    }
    expect(fetches).toBe(2);
  });

  it("passes postCreate the environment of the project's commands, also when it continues after a crash", async () => {
    const world = createBedWorld();
    const { workspace } = world.ports;
    const environments: unknown[] = [];
    const seeing = {
      ...workspace,
      create: (request: CreateWorkspace) => {
        environments.push(request.env);
        return workspace.create(request);
      },
      reconcileCreate: (request: CreateWorkspace) => {
        environments.push(request.env);
        return workspace.reconcileCreate(request);
      },
    };
    const projectEnvironment = async (...of: readonly unknown[]): Promise<Record<string, string>> => ({
      OF: of.join(),
    });
    const deps = { ...depsFor(world, { session }), workspaceOf: () => seeing, projectEnvironment };
    await createWorkspace.execute(spec, "i", deps);
    await createWorkspace.reconcile(spec, "i", deps);
    expect(environments).toEqual([{ OF: "demo,demo-fix-it" }, { OF: "demo,demo-fix-it" }]);
  });

  it("reports not done if nothing was created", async () => {
    const deps = depsFor(createBedWorld(), { session });
    expect(await createWorkspace.reconcile(spec, "i", deps)).toEqual({ kind: "not-done" });
  });

  it("adopts what was created if the answer was lost", async () => {
    const world = createBedWorld();
    const deps = depsFor(world, { session });
    world.scripts.workspace.loseNext("create", new Error("connection lost"));
    await expect(createWorkspace.execute(spec, "i", deps)).rejects.toThrow("connection lost");
    expect(await createWorkspace.reconcile(spec, "i", deps)).toMatchObject({
      kind: "done",
      outcome: { kind: "workspace-created", path: "/repo/.worktrees/fix-it" },
    });
    expect(world.workspace.created).toHaveLength(1);
  });

  it("forwards unknown from the workspace", async () => {
    const world = createBedWorld();
    const unknown = { kind: "unknown", reason: "foreign files" } as const;
    const workspace = { ...world.ports.workspace, reconcileCreate: async () => unknown };
    const deps = { ...depsFor(world, { session }), workspaceOf: () => workspace };
    expect(await createWorkspace.reconcile(spec, "i", deps)).toEqual(unknown);
  });
});
