import { describe, expect, it } from "vitest";
import { depsFor } from "../../testing/engine-bed/deps.ts";
import { createBedWorld } from "../../testing/engine-bed/world.ts";
import { releaseTrain } from "./release-train.ts";

describe("release-train", () => {
  const spec = { kind: "release-train", projectId: "demo", batch: 3 } as const;

  it("asks the forge to keep the batch no longer, again after a crash", async () => {
    const world = createBedWorld();
    const released: number[] = [];
    const scm = { ...world.ports.scm, releaseBatch: async (_: unknown, batch: number) => void released.push(batch) };
    const deps = { ...depsFor(world, {}), scmOf: () => scm };
    expect(await releaseTrain.execute(spec, "i", deps)).toEqual({ kind: "train-released" });
    expect(await releaseTrain.reconcile(spec, "i", deps)).toEqual({ kind: "not-done" });
    expect(released).toEqual([3]);
  });
});
