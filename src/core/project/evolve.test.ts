import { describe, expect, it } from "vitest";
import { aProject } from "../../testing/builders.ts";
import { aPolicy } from "../../testing/change-builders.ts";
import type { ProjectEvent } from "./events.ts";
import { evolveProject } from "./evolve.ts";

const {
  paused: _,
  removed: __,
  at: ___,
  policy: ____,
  baseHead: _____,
  completedAt: ______,
  ...facts
} = aProject({
  path: "/new",
});
const registered: ProjectEvent = { type: "project.registered", ...facts };

describe("evolveProject", () => {
  it("project.registered adds the project", () => {
    expect(evolveProject(undefined, registered, 5)).toEqual(aProject({ path: "/new", at: 5 }));
  });

  it("project.registered restores a removed project and keeps it paused", () => {
    const before = aProject({ removed: true, paused: true });
    expect(evolveProject(before, registered, 5)).toMatchObject({ removed: false, paused: true, path: "/new" });
  });

  it("project.registered keeps what was learned: its policy, its base, and when it was complete", () => {
    const before = aProject({ policy: aPolicy(), baseHead: "b1", completedAt: 4 });
    expect(evolveProject(before, registered, 5)).toEqual({ ...before, path: "/new", at: 5 });
  });

  it("policy, base and completion are applied as they come", () => {
    const policy = aPolicy();
    expect(evolveProject(aProject(), { type: "project.policy-set", policy }, 5)?.policy).toBe(policy);
    expect(evolveProject(aProject(), { type: "project.base-moved", head: "b2" }, 5)?.baseHead).toBe("b2");
    expect(evolveProject(aProject(), { type: "project.completed", merged: 1 }, 5)?.completedAt).toBe(5);
  });

  it.each([
    ["project.removed", { removed: true }],
    ["project.paused", { paused: true }],
    ["project.resumed", { paused: false }],
  ] as const)("%s sets its mark", (type, change) => {
    const before = aProject({ paused: type === "project.resumed" });
    expect(evolveProject(before, { type }, 5)).toEqual({ ...before, ...change, at: 5 });
    expect(evolveProject(undefined, { type }, 5)).toBeUndefined();
  });
});
