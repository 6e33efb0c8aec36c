import { describe, expect, it } from "vitest";
import { type EngineBed, openEngineBed } from "../testing/engine-bed/engine-bed.ts";
import { forgeOf, liveOnForge } from "../testing/engine-bed/forge-story.ts";
import { reportStatus } from "./report-status.ts";

function report(bed: EngineBed): () => void {
  const project = { id: "demo", path: "/repo", defaultBranch: "main" };
  return reportStatus({
    engine: bed.engine,
    host: bed.world.machine.host,
    scmOf: () => ({ scm: bed.world.ports.scm, project }),
  });
}

describe("the status comment of a pull request", () => {
  it("says how it ended once the pull request is merged", async () => {
    const bed = await openEngineBed({ isRemote: true });
    report(bed);
    await liveOnForge(bed);
    await bed.advance(60_000);
    expect(forgeOf(bed).statuses.get(1)).toMatch(/\| State \| merged as \w+ by ao \|/);
  });

  it("is written by the next daemon if the last one died before it could", async () => {
    const bed = await openEngineBed({ isRemote: true });
    await liveOnForge(bed);
    expect(forgeOf(bed).statusWrites).toBe(0);
    await bed.restart();
    report(bed);
    await bed.advance(60_000);
    expect(forgeOf(bed).statusWrites).toBe(1);
    expect([...forgeOf(bed).statuses.keys()]).toEqual([1]);
  });

  it("is retried after an outage", async () => {
    const bed = await openEngineBed({ isRemote: true });
    await liveOnForge(bed);
    const forge = forgeOf(bed);
    forge.isDown = true;
    report(bed);
    await bed.advance(30_000);
    expect(forge.statusWrites).toBe(0);
    forge.isDown = false;
    await bed.advance(60_000);
    expect(forge.statusWrites).toBe(1);
  });
});
