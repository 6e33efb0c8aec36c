import { describe, expect, it } from "vitest";
import { aMessage, aSession } from "../../testing/builders.ts";
import { depsFor } from "../../testing/engine-bed/deps.ts";
import { createBedWorld } from "../../testing/engine-bed/world.ts";
import { runRef } from "../executor.ts";
import { startRun } from "./start-run.ts";

const spec = { kind: "start-run", sessionId: "demo-fix-it", run: 1, messageId: null } as const;
const session = aSession({ run: { state: "starting", pid: null } });

describe("start-run", () => {
  it("reports the agent's process, and tells it where its brief is", async () => {
    const world = createBedWorld();
    const outcome = await startRun.execute(spec, "i", depsFor(world, { session }));
    expect(outcome).toEqual({ kind: "run-started", pid: 1001 });
    const [started] = world.runtime.starts;
    expect(await world.machine.host.fs.readText(started?.env["AO_BRIEF"] ?? "")).toContain("agent/fix-it");
  });

  it("resumes from the second run on", async () => {
    const world = createBedWorld();
    await startRun.execute({ ...spec, run: 2 }, "i", depsFor(world, { session }));
    expect(world.runtime.starts[0]?.env["AO_RESUME"]).toBe("1");
  });

  it("reports an agent that ended at once, after its output was read", async () => {
    const world = createBedWorld();
    world.runtime.programs.set("agent", ({ exit }) => exit(3));
    const deps = depsFor(world, { session });
    expect(await startRun.execute(spec, "i", deps)).toEqual({ kind: "run-ended", code: 3, evidence: "exit code 3" });
    expect(deps.ended).toEqual(["demo-fix-it/1"]);
  });

  it("passes a one-message program its message", async () => {
    const world = createBedWorld({ input: "file" });
    const message = aMessage({ id: "m-1", text: { inline: "do it" } });
    const deps = depsFor(world, { session: { ...session, input: "file", messages: [message] } });
    await startRun.execute({ ...spec, messageId: "m-1" }, "i", deps);
    expect(world.runtime.starts[0]?.initialInput).toBe("do it");
  });

  it("fails if nothing was started", async () => {
    const world = createBedWorld();
    world.scripts.runtime.failNext("start", new Error("no room"));
    await expect(startRun.execute(spec, "i", depsFor(world, { session }))).rejects.toThrow("no room");
  });

  it("reports unknown if the answer of a start is lost, and leaves nothing running", async () => {
    const world = createBedWorld();
    const deps = depsFor(world, { session });
    expect(await startRun.reconcile(spec, "i", deps)).toEqual({ kind: "not-done" });
    world.scripts.runtime.loseNext("start", new Error("connection lost"));
    expect(await startRun.execute(spec, "i", deps)).toEqual({ kind: "unknown", reason: "connection lost" });
    expect(await world.runtime.runtime.probe(runRef(deps, spec.sessionId, spec.run))).toMatchObject({ kind: "exited" });
    expect(world.runtime.starts).toHaveLength(1);
  });

  it("adopts the process of a start that the daemon did not survive", async () => {
    const world = createBedWorld();
    const deps = depsFor(world, { session });
    await startRun.execute(spec, "i", deps);
    expect(await startRun.reconcile(spec, "i", deps)).toEqual({
      kind: "done",
      outcome: { kind: "run-started", pid: 1001 },
    });
    expect(world.runtime.starts).toHaveLength(1);
  });
});
