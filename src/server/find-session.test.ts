import { describe, expect, it } from "vitest";
import type { SessionState } from "../core/session/state.ts";
import type { World } from "../core/world.ts";
import { aProject, aSession, aWorld } from "../testing/builders.ts";
import { aChange } from "../testing/change-builders.ts";
import { findSession } from "./find-session.ts";

const sessions = [
  aSession({
    id: "fe-42",
    projectId: "frontend",
    title: "Fix the login",
    issue: "42",
    folder: "issue-42",
    phase: "open",
  }),
  aSession({ id: "fe-fix", projectId: "frontend", title: "Fix", folder: "fix", phase: "open" }),
  aSession({ id: "fe-fix-2", projectId: "frontend", title: "Fix", folder: "fix-2", phase: "open" }),
  aSession({ id: "be-old", projectId: "backend", title: "Old one", folder: "old", phase: "stopped" }),
  aSession({ id: "be-older", projectId: "backend", title: "Older one", folder: "older", phase: "open" }),
];
const linear = aSession({ id: "be-eng-7", projectId: "backend", issue: "ENG-7", folder: "issue-eng-7", phase: "open" });
const twice = aSession({ id: "be-42", projectId: "backend", issue: "42", folder: "issue-42", phase: "open" });
const world = worldOf(sessions);

function worldOf(held: readonly SessionState[]): World {
  return aWorld({ sessions: held, projects: [aProject({ id: "frontend" }), aProject({ id: "backend" })] });
}

describe("the session a person means", () => {
  it.each([
    ["its id, even if another starts the same", "fe-fix", "fe-fix"],
    ["an unambiguous prefix", "fe-4", "fe-42"],
    ["the project and the slug", "frontend-fix-2", "fe-fix-2"],
    ["the project and the title", "frontend-fix-the-login", "fe-42"],
    ["its issue", "42", "fe-42"],
    ["its issue with a mark", "#42", "fe-42"],
    ["its issue and project", "frontend/42", "fe-42"],
    ["its issue with a mark and project", "frontend/#42", "fe-42"],
    ["an open one before a stopped one", "be-ol", "be-older"],
    ["a stopped one if nothing else matches", "be-old", "be-old"],
  ])("is found by %s", (_how, written, id) => {
    expect(findSession(world, written).id).toBe(id);
  });

  it.each(["ENG-7", "eng-7", "backend/eng-7"])("is found by its issue's key in any case: %s", (written) => {
    expect(findSession(worldOf([...sessions, linear]), written).id).toBe("be-eng-7");
  });

  it("is a live one before any number of finished ones", () => {
    const finished = ["add-a", "add-b"].map((name) => aSession({ id: `web-${name}`, folder: name, phase: "stopped" }));
    const merged = aSession({ id: "web-add-c", folder: "add-c" });
    const live = aSession({ id: "web-7", projectId: "web", title: "Add d", folder: "issue-7", issue: "7" });
    const changes = [aChange({ key: "web/1", sessionId: "web-add-c", phase: "merged" })];
    const find = (...more: readonly SessionState[]): string =>
      findSession(aWorld({ sessions: [...finished, merged, ...more], changes }), "web-add").id;
    expect(find(live)).toBe("web-7");
    // A session that continues after its merge is live again, compared with stopped ones.
    expect(find()).toBe("web-add-c");
  });

  it("is ambiguous if several match, with their names", () => {
    expect(() => findSession(world, "fe-")).toThrow(/fe-42, fe-fix, fe-fix-2/);
  });

  it("is not one of another project with the same issue", () => {
    expect(() => findSession(world, "backend/42")).toThrow(
      expect.objectContaining({
        message: "No session of backend works on issue 42.",
        hint: expect.stringContaining("frontend/42"),
      }),
    );
    expect(findSession(worldOf([...sessions, twice]), "backend/42").id).toBe("be-42");
  });

  it("must be given with its project if several have the issue", () => {
    expect(() => findSession(worldOf([...sessions, twice]), "42")).toThrow(/could be any of frontend\/42, backend\/42/);
  });

  it("is unknown if none matches", () => {
    expect(() => findSession(world, "nothing")).toThrow(/no session "nothing"/);
  });
});
