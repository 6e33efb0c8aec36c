import { describe, expect, it } from "vitest";
import { aProject } from "../../testing/builders.ts";
import { evolveProject, type ProjectEvent } from "./state.ts";

const { paused: _, removed: __, at: ___, ...facts } = aProject({ path: "/new" });
const registered: ProjectEvent = { type: "project.registered", ...facts };

describe("evolveProject", () => {
  it("project.registered makes the project known", () => {
    expect(evolveProject(undefined, registered, 5)).toEqual(aProject({ path: "/new", at: 5 }));
  });

  it("project.registered brings back a removed project and keeps it paused", () => {
    const before = aProject({ removed: true, paused: true });
    expect(evolveProject(before, registered, 5)).toMatchObject({ removed: false, paused: true, path: "/new" });
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
