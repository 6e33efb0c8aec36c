import { describe, expect, it } from "vitest";
import { aProject, aSession, aWorld } from "../../testing/builders.ts";
import { aChange } from "../../testing/change-builders.ts";
import type { ChangeState } from "../change/state.ts";
import type { AnyEvent } from "../event.ts";
import { needsOfProject } from "../need/project-needs.ts";
import { decideProjectCommand } from "./decide.ts";
import { decideBaseAccepted, decideRepository } from "./decide-repository.ts";
import { evolveProject } from "./evolve.ts";
import type { FollowedBase } from "./repository.ts";
import { factsOf, type ProjectState } from "./state.ts";

const AGENT = "demo-fix-it@ao.invalid";

interface Scene {
  readonly project?: Partial<ProjectState>;
  readonly changes?: readonly ChangeState[];
}

function worldOf({ project = {}, changes = [] }: Scene = {}): ReturnType<typeof aWorld> {
  return aWorld({ projects: [aProject({ ownBase: "old", ...project })], sessions: [aSession()], changes });
}

function follow(base: Partial<FollowedBase>, scene: Scene = {}): readonly AnyEvent[] {
  const seen = { since: "old", head: "new", lost: 0, commits: [], ...base };
  return decideRepository(worldOf(scene), "demo", { kind: "present", base: seen }).map(({ event }) => event);
}

function apply(...events: readonly AnyEvent[]): ProjectState {
  return events.reduce<ProjectState>(
    (state, event) => evolveProject(state, event as never, 7) ?? state,
    aProject({ ownBase: "old" }),
  );
}

describe("the default branch of a project", () => {
  it("is followed quietly while it only gains what people commit", () => {
    const events = follow({ commits: [{ commit: "new", committer: "jo@example.com" }] });
    expect(events).toEqual([{ type: "project.base-followed", head: "new" }]);
    expect(apply(...events)).toMatchObject({ ownBase: "new" });
    expect(needsOfProject(apply(...events))).toEqual([]);
  });

  it("that loses commits needs a person, who is told how to keep them", () => {
    const events = follow({ lost: 2 });
    expect(events).toMatchObject([{ type: "project.base-rewritten", from: "old", head: "new", count: 2 }]);
    const [need] = needsOfProject(apply(...events));
    expect(need).toMatchObject({
      id: "demo/base-rewritten",
      problem: { stream: "project:demo", id: "base-rewritten" },
    });
    expect(need?.text).toContain("it lost 2 commits and was at old. `git -C /repo branch rescue old` keeps them.");
  });

  it("that is deleted needs a person", () => {
    const [event] = follow({ head: null });
    expect(event).toMatchObject({ type: "project.base-rewritten", head: null });
    expect(needsOfProject(apply(event as AnyEvent))[0]?.text).toBe("main was deleted; it was at old.");
  });

  it("with a commit of an agent needs a person, and the session is named", () => {
    const events = follow({ commits: [{ commit: "new", committer: AGENT }] });
    expect(events).toMatchObject([{ type: "project.base-committed", sessions: ["demo-fix-it"] }]);
    expect(needsOfProject(apply(...events))[0]?.text).toMatch(
      /^main got 1 commit by the agent of demo-fix-it that did not go through ao/,
    );
  });

  it("is not blamed on an agent when ao merged its work, also by several commits", () => {
    const merged = {
      commit: "new",
      baseBefore: "old",
      by: "ao",
      strategy: "rebase",
      deleteAfter: true,
      at: 1,
    } as const;
    const commits = [
      { commit: "new", committer: AGENT },
      { commit: "mid", committer: AGENT },
    ];
    const changes = [aChange({ phase: "merged", merged })];
    expect(follow({ commits }, { changes })).toEqual([{ type: "project.base-followed", head: "new" }]);
  });

  it("is read for the first time without a word, and an outdated look is ignored", () => {
    expect(follow({ since: null, lost: 3 }, { project: { ownBase: null } })).toMatchObject([
      { type: "project.base-followed" },
    ]);
    expect(follow({ since: "older", lost: 3 })).toEqual([]);
    expect(follow({ head: "old" })).toEqual([]);
  });

  it("leaves the inbox when somebody puts it back, or a person dismisses it", () => {
    const rewritten = apply(...follow({ lost: 1 }));
    const back = follow({ since: "new", head: "old", lost: 1 }, { project: rewritten });
    expect(back).toEqual([{ type: "project.base-followed", head: "old" }]);
    expect(evolveProject(rewritten, back[0] as never, 8)).toMatchObject({ ownBase: "old", baseWarning: null });
    const world = worldOf({ project: rewritten });
    expect(decideBaseAccepted(world, "demo", "jo")).toMatchObject([{ event: { type: "project.base-accepted" } }]);
    expect(decideBaseAccepted(worldOf(), "demo", "jo")).toEqual([]);
  });
});

describe("a repository that was moved", () => {
  const gone = { kind: "missing", evidence: "/repo does not exist" } as const;

  it("is missed once, with a way to repair it, until it is back", () => {
    const [vanished] = decideRepository(worldOf(), "demo", gone).map(({ event }) => event);
    const missing = apply(vanished as AnyEvent);
    expect(needsOfProject(missing)[0]?.text).toBe(
      "The repository of demo is gone from /repo. If you moved it, run `ao start` in its new folder; if not, put it back.",
    );
    expect(decideRepository(worldOf({ project: missing }), "demo", gone)).toEqual([]);
    expect(follow({ head: "old" }, { project: missing })).toEqual([{ type: "project.reappeared" }]);
  });

  it("keeps its sessions, whose folders inside of it moved along", () => {
    const inside = aSession({ workspace: { path: "/repo/.worktrees/one" } });
    const outside = aSession({ id: "demo-two", workspace: { path: "/repository/two" } });
    const world = aWorld({ projects: [aProject({ missing: { evidence: "", at: 1 } })], sessions: [inside, outside] });
    const register = { type: "project.register", ...factsOf(aProject()), path: "/new" } as const;
    expect(decideProjectCommand(world, register)).toMatchObject({ kind: "rejected" });
    const decision = decideProjectCommand(world, { ...register, movedFrom: "/repo" });
    expect(decision).toMatchObject({
      kind: "accepted",
      events: [
        { stream: "project:demo", event: { type: "project.registered", path: "/new" } },
        { stream: "session:demo-fix-it", event: { type: "workspace.relocated", path: "/new/.worktrees/one" } },
      ],
    });
    const [registered] = decision.kind === "accepted" ? decision.events : [];
    expect(registered?.event).not.toHaveProperty("movedFrom");
    expect(evolveProject(aProject({ missing: { evidence: "", at: 1 } }), registered?.event as never, 9)?.missing).toBe(
      undefined,
    );
  });
});
