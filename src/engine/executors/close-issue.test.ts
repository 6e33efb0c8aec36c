import { describe, expect, it } from "vitest";
import { aChange } from "../../testing/change-builders.ts";
import { depsFor } from "../../testing/engine-bed/deps.ts";
import { createBedWorld } from "../../testing/engine-bed/world.ts";
import { closeIssue } from "./close-issue.ts";

const ISSUE = { title: "Fix it", body: "", labels: [], dependsOn: [] };
const spec = { kind: "close-issue", changeKey: "demo/1", issue: "1" } as const;

describe("close-issue", () => {
  it.each([
    ["open", { closed: true, reason: "closed because its pull request was merged" }],
    ["closed", { closed: true, reason: "it was closed" }],
  ] as const)("closes an issue that is %s at most once", async (state, answer) => {
    const world = createBedWorld();
    world.tracker.add({ ...ISSUE, state });
    const deps = depsFor(world, { change: aChange() });
    expect(await closeIssue.execute(spec, "i", deps)).toEqual({ kind: "issue-settled", ...answer });
    expect(world.tracker.issues.get("1")?.state).toBe("closed");
    expect(world.scripts.tracker.count("edit")).toBe(state === "open" ? 1 : 0);
  });

  it("reports that the tracker has no such issue", async () => {
    const deps = depsFor(createBedWorld(), { change: aChange() });
    expect(await closeIssue.execute(spec, "i", deps)).toMatchObject({ closed: false });
  });

  it("reports that the tracker cannot be written", async () => {
    const world = createBedWorld();
    world.tracker.add({ ...ISSUE, state: "open" });
    const { list, get } = world.ports.tracker;
    const deps = { ...depsFor(world, { change: aChange() }), trackerOf: async () => ({ list, get }) };
    expect(await closeIssue.execute(spec, "i", deps)).toMatchObject({ closed: false });
  });

  it("closes once even if the first answer is lost", async () => {
    const world = createBedWorld();
    world.tracker.add({ ...ISSUE, state: "open" });
    const deps = depsFor(world, { change: aChange() });
    world.scripts.tracker.loseNext("edit", new Error("connection lost"));
    await expect(closeIssue.execute(spec, "i", deps)).rejects.toThrow("connection lost");
    expect(await closeIssue.reconcile(spec, "i", deps)).toEqual({ kind: "not-done" });
    expect(await closeIssue.execute(spec, "i", deps)).toMatchObject({ closed: true, reason: "it was closed" });
    expect(world.scripts.tracker.count("edit")).toBe(1);
  });
});
