import { describe, expect, it } from "vitest";
import { newOnForge } from "../core/change/evolve-forge.ts";
import { aProject, aSession, aWorld } from "../testing/builders.ts";
import { aChange } from "../testing/change-builders.ts";
import { findPullRequest, requireOpenPullRequest } from "./find-pull-request.ts";

const sessions = [
  aSession({ id: "demo-1", issue: "1", folder: "issue-1", title: "One" }),
  aSession({ id: "demo-2", issue: "2", folder: "issue-2", title: "Two" }),
  aSession({ id: "demo-9", issue: "9", folder: "issue-9", title: "Nine" }),
  aSession({ id: "demo-new", folder: "new", title: "New" }),
  aSession({ id: "other-3", projectId: "other", issue: "3", folder: "issue-3", title: "Three", phase: "stopped" }),
];
const changes = [
  aChange({ key: "demo/1", number: 1, sessionId: "demo-1" }),
  aChange({ key: "demo/2", number: 2, sessionId: "demo-9", phase: "closed" }),
  aChange({ key: "demo/3", number: 3, sessionId: "demo-9" }),
  aChange({ key: "demo/4", number: 4, sessionId: "demo-2", phase: "merged" }),
  aChange({ key: "other/1", projectId: "other", number: 1, sessionId: null }),
  aChange({ key: "other/7", projectId: "other", number: 7, sessionId: "other-3" }),
];
const onForge = { forge: newOnForge("head1") };
const world = aWorld({ sessions, changes, projects: [aProject(), aProject({ id: "other" })] });

describe("the pull request a person means", () => {
  it.each([
    ["its full name", "other/1", "demo", "other/1"],
    ["its full name with a mark", "other/#1", null, "other/1"],
    ["its number in the project", "3", "demo", "demo/3"],
    ["its number with a mark", "#3", "demo", "demo/3"],
    ["its session", "demo-1", null, "demo/1"],
    ["the open one of its session", "demo-9", null, "demo/3"],
    ["the last one of its session if none is open", "demo-2", null, "demo/4"],
    ["the title of its session", "demo-nine", null, "demo/3"],
    ["the issue, if no pull request has this number", "9", "demo", "demo/3"],
    ["the number, even if an issue has the same one", "1", "demo", "demo/1"],
    ["the number with a mark, even if an issue has it too", "#2", "demo", "demo/2"],
  ])("is found by %s", (_how, written, project, key) => {
    expect(findPullRequest(world, written, project).key).toBe(key);
  });

  it("is the one on the forge where a number is also that of one on this machine", () => {
    const here = aChange({ key: "web/3", projectId: "web", number: 3, sessionId: null, phase: "merged" });
    const there = aChange({ ...onForge, key: "web/3-2", projectId: "web", number: 3, sessionId: null });
    const published = aChange({ ...onForge, key: "web/4", projectId: "web", number: 17, sessionId: null });
    const both = aWorld({ sessions: [], changes: [here, there, published], projects: [aProject({ id: "web" })] });
    const found = ["#3", "web/3", "web/3-2", "17", "4"].map((written) => findPullRequest(both, written, "web").key);
    expect(found).toEqual(["web/3-2", "web/3-2", "web/3-2", "web/4", "web/4"]);
    const open = aWorld({ sessions: [], changes: [{ ...here, phase: "open" }, there] });
    expect(() => findPullRequest(open, "#3", "web")).toThrow(
      expect.objectContaining({ hint: "Write web/3-2 or web/3." }),
    );
  });

  it("is not the issue of another project", () => {
    const elsewhere = aSession({ id: "web-3", projectId: "web", issue: "3", folder: "issue-3", phase: "stopped" });
    const own = aChange({ key: "web/7", projectId: "web", number: 7, sessionId: "web-3" });
    const both = aWorld({ sessions: [...sessions, elsewhere], changes: [...changes, own] });
    expect(findPullRequest(both, "3", "demo").key).toBe("demo/3");
    expect(findPullRequest(both, "3", "web").key).toBe("web/7");
  });

  it("is a live session's before a finished one's for the same issue", () => {
    const again = aSession({ id: "demo-9-2", issue: "9", folder: "issue-9-2", title: "Nine" });
    const before = sessions.map((one) => (one.id === "demo-9" ? { ...one, phase: "stopped" as const } : one));
    const next = aChange({ key: "demo/5", number: 5, sessionId: "demo-9-2" });
    const both = aWorld({ sessions: [again, ...before], changes: [...changes, next] });
    expect(findPullRequest(both, "9", "demo").key).toBe("demo/5");
    expect(findPullRequest(both, "demo-nin", null).key).toBe("demo/5");
  });

  it("is named by its project if the folder belongs to none", () => {
    expect(() => findPullRequest(world, "1", null)).toThrow(
      expect.objectContaining({ code: "session-ambiguous", hint: "Write demo/1 or other/1." }),
    );
  });

  it("is ambiguous if a number is also another one's issue", () => {
    expect(() => findPullRequest(world, "2", "demo")).toThrow(/"2" could be pull request #2, or #4 of session demo-2/);
  });

  it.each([
    ["5", "demo", /no pull request #5 in demo/],
    ["5", null, /no pull request #5/],
    ["1", null, /"1" needs a project/],
    ["demo/77", "demo", /no pull request demo\/77/],
    ["nobody", "demo", /no session "nobody"/],
    ["demo-new", "demo", /demo-new has no pull request/],
  ])("%s in %s is unknown", (written, project, message) => {
    expect(() => findPullRequest(world, written, project)).toThrow(message);
  });
});

describe("the open pull request of a session", () => {
  it("is an error with the fix if there is none", () => {
    const of = (id: string) => () => requireOpenPullRequest(world, world.session(id) as (typeof sessions)[number]);
    expect(of("demo-9")().key).toBe("demo/3");
    expect(of("demo-new")).toThrow(
      expect.objectContaining({ code: "conflict", hint: expect.stringContaining("ao pr open demo-new") }),
    );
    expect(of("demo-2")).toThrow(/no open pull request: #4 is merged/);
  });
});
