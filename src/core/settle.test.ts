import { describe, expect, it } from "vitest";
import { aProject, aSession, aWorld } from "../testing/builders.ts";
import type { SessionState } from "./session/state.ts";
import { settle } from "./settle.ts";
import type { World } from "./world.ts";

function waiting(id: string, createdAt: number, projectId = "demo"): SessionState {
  return aSession({ id, projectId, createdAt, phase: "queued", workspace: { state: "none" }, run: { state: "none" } });
}

function settled(world: World): readonly string[] {
  return settle(world, 5000).map(({ stream, event }) => `${event.type} ${stream}`);
}

describe("admission", () => {
  it("gives slots to the oldest first, up to the limit", () => {
    const sessions = [waiting("c", 3), waiting("a", 1), aSession({ id: "open" }), waiting("b", 2)];
    expect(settled(aWorld({ sessions, fleet: { limit: 3 } }))).toEqual([
      "session.admitted session:a",
      "session.admitted session:b",
    ]);
  });

  it("counts a stopping session, because its agent may still run", () => {
    const sessions = [aSession({ id: "ending", phase: "stopping" }), waiting("a", 1)];
    expect(settled(aWorld({ sessions, fleet: { limit: 1 } }))).toEqual([]);
  });

  it("gives nobody a slot if the limit was lowered below what is open", () => {
    const sessions = [aSession({ id: "x" }), aSession({ id: "y" }), waiting("a", 1)];
    expect(settled(aWorld({ sessions, fleet: { limit: 1 } }))).toEqual([]);
  });

  it("holds a project at its own limit and lets others pass", () => {
    const sessions = [aSession({ id: "open" }), waiting("a", 1), waiting("b", 2, "other")];
    const projects = [aProject({ limit: 1 }), aProject({ id: "other" })];
    expect(settled(aWorld({ sessions, projects }))).toEqual(["session.admitted session:b"]);
  });

  it("admits nobody while everything is paused, and nobody of a paused project", () => {
    const sessions = [waiting("a", 1), waiting("b", 2, "other")];
    const projects = [aProject({ paused: true }), aProject({ id: "other" })];
    expect(settled(aWorld({ sessions, projects }))).toEqual(["session.admitted session:b"]);
    expect(settled(aWorld({ sessions, projects, fleet: { paused: true } }))).toEqual([]);
  });
});

describe("the end", () => {
  const stopping = (run: SessionState["run"]["state"], workspace: SessionState["workspace"]["state"]): SessionState =>
    aSession({ phase: "stopping", run: { state: run }, workspace: { state: workspace } });

  it.each([
    ["none", "none"],
    ["none", "failed"],
    ["ended", "removed"],
    ["ended", "kept"],
  ] as const)("comes with run %s and workspace %s, and frees the task", (run, workspace) => {
    expect(settled(aWorld({ sessions: [stopping(run, workspace)] }))).toEqual([
      "session.stopped session:demo-fix-it",
      "task.released task:demo/~demo-fix-it",
    ]);
  });

  it.each([
    ["alive", "ready"],
    ["starting", "ready"],
    ["ended", "ready"],
    ["ended", "missing"],
    ["ended", "branch-missing"],
    ["none", "creating"],
  ] as const)("does not come yet with run %s and workspace %s", (run, workspace) => {
    expect(settled(aWorld({ sessions: [stopping(run, workspace)] }))).toEqual([]);
  });

  it("of one frees a slot for the next at once", () => {
    const sessions = [stopping("ended", "removed"), waiting("a", 1)];
    expect(settled(aWorld({ sessions, fleet: { limit: 1 } }))).toContain("session.admitted session:a");
  });

  it("also comes while paused", () => {
    const world = aWorld({ sessions: [stopping("ended", "removed")], fleet: { paused: true } });
    expect(settled(world)).toContain("session.stopped session:demo-fix-it");
  });
});
