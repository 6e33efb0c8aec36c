import { describe, expect, it } from "vitest";
import {
  agentTurn,
  ask,
  beginSession,
  beginStory,
  changeOf,
  eventsOf,
  moveBase,
  perform,
  restart,
  type Story,
  submit,
  toldOf,
} from "../../../test/support/story.ts";
import { aCheckRule, aPolicy } from "../../testing/change-builders.ts";

function aStory(facts: Parameters<typeof aPolicy>[0] = {}): Story {
  return beginStory(aPolicy(facts));
}

function causes(story: Story): readonly string[] {
  return eventsOf(story, "check.attributed").map(({ name, cause }) => `${name}: ${cause}`);
}

function attemptsOn(story: Story, head: string): readonly number[] {
  return eventsOf(story, "check.finished").flatMap((one) => (one.head === head ? [one.attempt] : []));
}

describe("a check that fails because of the branch", () => {
  it("runs again, is compared with the base, and then wakes the agent once", () => {
    const story = aStory();
    story.check = () => "failed";
    agentTurn(story, "red1");
    expect(attemptsOn(story, "red1")).toEqual([1, 2]);
    expect(eventsOf(story, "commit.check-finished")).toMatchObject([{ commit: "base0", state: "passed" }]);
    expect(causes(story)).toEqual(["unit: branch"]);
    expect(toldOf(story)).toHaveLength(1);
    expect(toldOf(story)[0]).toContain("It failed in both of 2 runs on this commit and passes on main (base0).");
  });

  it("is compared with the same commit of the base once for all pull requests", () => {
    const story = aStory();
    story.check = () => "failed";
    agentTurn(story, "red1");
    beginSession(story, { title: "Other" });
    agentTurn(story, "red2", "demo-other");
    expect(causes(story)).toEqual(["unit: branch", "unit: branch"]);
    expect(eventsOf(story, "commit.check-finished")).toHaveLength(1);
  });

  it("wakes the agent also when nobody can tell how the base stands", () => {
    const story = aStory();
    story.check = () => "failed";
    story.checkOnBase = () => "setup-failed";
    agentTurn(story, "red1");
    expect(causes(story)).toEqual(["unit: branch"]);
    expect(toldOf(story)[0]).toContain("It failed in both of 2 runs on this commit.");
  });

  it("waits while the project is paused", () => {
    const story = aStory();
    story.check = () => null;
    agentTurn(story, "red1");
    submit(story, { type: "fleet.pause", projectId: null });
    story.check = () => "failed";
    perform(story);
    expect(attemptsOn(story, "red1")).toEqual([1]);
    expect(causes(story)).toEqual([]);
    submit(story, { type: "fleet.resume", projectId: null });
    perform(story);
    expect(toldOf(story)).toHaveLength(1);
  });
});

describe("a check that fails on the base too", () => {
  function redMain(): Story {
    const story = aStory();
    story.check = () => "failed";
    story.checkOnBase = () => "failed";
    agentTurn(story, "red1");
    return story;
  }

  it("does not wake the agent, and people hear once that main is red", () => {
    const story = redMain();
    beginSession(story, { title: "Other" });
    agentTurn(story, "red2", "demo-other");
    expect(causes(story)).toEqual(["unit: base", "unit: base"]);
    expect(toldOf(story)).toEqual([]);
    expect(changeOf(story).problems).toEqual({});
    expect(eventsOf(story, "notice.raised").map(({ key, title }) => [key, title])).toEqual([
      ["main-broken", "Demo: main is red"],
    ]);
  });

  it("is red on the base only when it failed there twice", () => {
    const story = aStory();
    story.check = () => "failed";
    story.checkOnBase = (_, __, attempt) => (attempt === 1 ? "failed" : "passed");
    agentTurn(story, "red1");
    expect(causes(story)).toEqual(["unit: branch"]);
  });

  it("wakes the agent once the base is fixed and the branch is not, with the advice to merge it", () => {
    const story = redMain();
    moveBase(story, "base1");
    expect(toldOf(story)).toEqual([]);
    story.checkOnBase = () => "passed";
    moveBase(story, "base2");
    expect(causes(story)).toEqual(["unit: base", "unit: base", "unit: branch"]);
    expect(toldOf(story)).toHaveLength(1);
    expect(toldOf(story)[0]).toContain("It failed on main too, and passes there since base2: merge main first.");
  });

  it("stays so over a restart", () => {
    const story = redMain();
    restart(story, 1000);
    expect(causes(story)).toEqual(["unit: base"]);
    expect(toldOf(story)).toEqual([]);
  });
});

describe("a flaky check", () => {
  it("that passes when it runs again wakes nobody, and is remembered", () => {
    const story = aStory();
    story.check = (_, __, attempt) => (attempt === 1 ? "failed" : "passed");
    agentTurn(story, "head1");
    expect(causes(story)).toEqual(["unit: flaky"]);
    expect(toldOf(story)).toEqual([]);
    expect(eventsOf(story, "problem.seen").map(({ id }) => id)).not.toContain("ci-failed:unit");
    expect(story.world.view.project("demo")?.flakes).toMatchObject({ unit: { count: 1 } });
  });

  it("that was flaky before runs again twice", () => {
    const story = aStory();
    story.check = (_, head, attempt) => (attempt <= (head === "head1" ? 1 : 2) ? "failed" : "passed");
    agentTurn(story, "head1");
    agentTurn(story, "head2");
    expect(attemptsOn(story, "head2")).toEqual([1, 2, 3]);
    expect(causes(story)).toEqual(["unit: flaky", "unit: flaky"]);
    expect(toldOf(story)).toEqual([]);
  });
});

describe("an optional check", () => {
  const checks = { unit: aCheckRule(), lint: aCheckRule({ required: false }) };

  it("that fails wakes nobody and does not run again", () => {
    const story = aStory({ checks });
    story.check = (name) => (name === "lint" ? "failed" : "passed");
    agentTurn(story, "head1");
    expect(causes(story)).toEqual(["lint: optional"]);
    expect(toldOf(story)).toEqual([]);
    expect(eventsOf(story, "check.rerun-requested")).toEqual([]);
    expect(eventsOf(story, "commit.check-requested")).toEqual([]);
  });

  it("is no problem any more once it is optional, and one again when it is required", () => {
    const story = aStory({ checks: { unit: aCheckRule() } });
    story.check = () => "failed";
    agentTurn(story, "red1");
    const optional = aPolicy({ checks: { unit: aCheckRule({ required: false }) } });
    ask(story, { type: "project.policy", id: "demo", policy: optional });
    expect(changeOf(story).problems["ci-failed:unit"]).toBeUndefined();
    ask(story, { type: "project.policy", id: "demo", policy: aPolicy() });
    expect(changeOf(story).problems["ci-failed:unit"]).toBeDefined();
    expect(causes(story)).toEqual(["unit: branch", "unit: optional", "unit: branch"]);
  });
});

describe("an attempt", () => {
  it("is used only when the agent had its turn, however many commits it makes meanwhile", () => {
    const story = aStory();
    story.check = () => "failed";
    agentTurn(story, "red1");
    const sessionId = "demo-fix-it";
    const signals = [{ kind: "status", state: "working", note: null }] as const;
    submit(story, { type: "run.signals", sessionId, run: 1, signals });
    for (const head of ["red2", "red3"]) {
      story.branches.set("agent/fix-it", head);
      submit(story, { type: "branch.moved", sessionId, facts: { head, baseHead: "base0", ahead: 1 } });
      perform(story);
    }
    expect(changeOf(story)).toMatchObject({ head: "red3", checks: { unit: { state: "failed" } } });
    expect(toldOf(story)).toHaveLength(1);
    agentTurn(story, "red4");
    expect(toldOf(story)).toHaveLength(2);
    expect(eventsOf(story, "reaction.sent").map(({ attempt }) => attempt)).toEqual([1, 2]);
  });
});
