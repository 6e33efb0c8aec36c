import { describe, expect, it } from "vitest";
import { aSession } from "../../testing/builders.ts";
import { depsFor } from "../../testing/engine-bed/deps.ts";
import { createBedWorld } from "../../testing/engine-bed/world.ts";
import { endRun } from "./end-run.ts";
import { startRun } from "./start-run.ts";

const spec = { kind: "end-run", sessionId: "demo-fix-it", run: 1 } as const;

describe("end-run", () => {
  it("ends the process, and has its output read to the end", async () => {
    const world = createBedWorld();
    const deps = depsFor(world, { session: aSession() });
    await startRun.execute({ kind: "start-run", sessionId: "demo-fix-it", run: 1, messageId: null }, "i", deps);
    expect(await endRun.execute(spec, "i", deps)).toMatchObject({ kind: "run-ended", code: null });
    expect(
      await world.ports.runtime.probe({ sessionId: "demo-fix-it", run: 1, runDir: deps.runDir("demo-fix-it", 1) }),
    ).toEqual({
      kind: "exited",
      code: 143,
    });
    expect(deps.ended).toEqual(["demo-fix-it/1"]);
  });

  it("is repeated after a crash, and ends a dead process without an error", async () => {
    const deps = depsFor(createBedWorld(), { session: aSession() });
    expect(await endRun.reconcile(spec, "i", deps)).toEqual({ kind: "not-done" });
    expect(await endRun.execute(spec, "i", deps)).toMatchObject({ kind: "run-ended" });
  });

  it("fails if the runtime cannot end it", async () => {
    const world = createBedWorld();
    const deps = depsFor(world, { session: aSession() });
    world.scripts.runtime.failNext("end", new Error("still there"));
    await expect(endRun.execute(spec, "i", deps)).rejects.toThrow("still there");
    expect(deps.ended).toEqual([]);
  });
});
