import { describe, expect, it } from "vitest";
import {
  agentTurn,
  ask,
  beginSession,
  beginStory,
  changeOf,
  eventsOf,
  moveBase,
  restart,
  type Story,
  sessionOf,
  toldOf,
} from "../../../test/support/story.ts";
import { aCheckRule, aPolicy, aRule } from "../../testing/change-builders.ts";
import type { MainGuard } from "../policy.ts";
import { searchCulprit } from "./find-culprit.ts";
import { healthOfMain } from "./status.ts";

/** Four merged pull requests that the main check has not seen yet. */
function aStory(mainGuard: MainGuard, bad: string | null): Story {
  const policy = aPolicy({
    mainGuard,
    train: { batch: 1 },
    merging: { approvals: 0 },
    checks: { unit: aCheckRule(), e2e: aCheckRule({ required: false, on: ["main"], run: "npm run e2e" }) },
    reactions: { "main-broken": aRule({ action: "notify", retries: 0, priority: "urgent" }) },
  });
  const story = beginStory(policy);
  story.checkOnBase = (...run) => story.check(...run);
  // The check on main waits until all are merged.
  story.check = (name) => (name === "e2e" ? null : "passed");
  agentTurn(story, "h1");
  for (const number of [2, 3, 4]) {
    beginSession(story, { title: `Task ${number}` });
    agentTurn(story, `h${number}`, `demo-task-${number}`);
  }
  story.check = (name, commit) => {
    const isBad = bad !== null && commit.includes(`+${bad}`) && !commit.includes(`-${bad}`);
    return name === "e2e" && isBad ? "failed" : "passed";
  };
  story.now += 1000;
  // Whatever happens next makes the running check end.
  ask(story, { type: "fleet.limit", limit: 9 });
  return story;
}

function mainOf(story: Story) {
  return story.world.view.project("demo")?.main;
}

function e2eCommits(story: Story): readonly string[] {
  return eventsOf(story, "commit.check-started").flatMap(({ name, commit, attempt }) =>
    name === "e2e" && attempt === 1 ? [commit] : [],
  );
}

describe("the main guard", () => {
  it("checks the base after merges, not every commit of it", () => {
    const story = aStory("notify", null);
    expect(mainOf(story)).toMatchObject({ green: "base0+h1+h2+h3+h4", broken: null });
    expect(e2eCommits(story)).toEqual(["base0", "base0+h1+h2+h3+h4"]);
  });

  it("finds the merge that broke the base among several, and notifies people", () => {
    const story = aStory("notify", "h3");
    expect(mainOf(story)?.broken?.culprit).toEqual({ key: "demo/3", commit: "base0+h1+h2+h3" });
    const [notice] = eventsOf(story, "notice.raised").filter(({ key }) => key === "main-broken");
    expect(notice).toMatchObject({ priority: "urgent", text: "Check `e2e` has failed since #3 (base0+h1+h)." });
    expect(eventsOf(story, "main.reverted")).toEqual([]);
    const project = story.world.view.project("demo");
    expect(project === undefined ? null : healthOfMain(story.world.view, project)).toEqual({
      state: "red",
      text: "is red at base0+h1+h: check `e2e`, since #3",
    });
  });

  it("sees that a person reset the base to the last green commit", () => {
    const story = aStory("notify", "h3");
    expect(mainOf(story)).toMatchObject({ green: "base0", broken: { check: "e2e" } });
    moveBase(story, "base0");
    expect(mainOf(story)).toEqual({ watched: "base0", green: "base0", broken: null });
    expect(eventsOf(story, "main.passed").map(({ commit }) => commit)).toEqual(["base0", "base0"]);
  });

  it("reverts it, reopens its task, and wakes its agent with the evidence", () => {
    const story = aStory("auto", "h3");
    expect(eventsOf(story, "main.reverted")).toMatchObject([{ key: "demo/3", commit: "base0+h1+h2+h3+h4-h3" }]);
    expect(mainOf(story)).toMatchObject({ green: "base0+h1+h2+h3+h4-h3", broken: null });
    expect(sessionOf(story, "demo-task-3").phase).toBe("open");
    const [text = ""] = toldOf(story, "demo-task-3");
    expect(text).toContain("Your pull request #3 broke main: the check `e2e` failed with exit code 1");
    expect(text).toContain("git revert base0+h1+h");
    expect(text).toContain("e2e says no on base0+h1+h2+h3");
  });

  it("merges the work again when its agent has fixed it", () => {
    const story = aStory("auto", "h3");
    agentTurn(story, "fixed", "demo-task-3");
    expect(story.world.view.project("demo")?.baseHead).toBe("base0+h1+h2+h3+h4-h3+fixed");
    expect(changeOf(story, "demo/5").phase).toBe("merged");
  });

  it("re-checks a red base before it blames anyone", () => {
    const story = aStory("auto", null);
    story.check = (name, _, attempt) => (name === "e2e" && attempt === 1 ? "failed" : "passed");
    moveBase(story, "base1");
    expect(mainOf(story)).toMatchObject({ green: "base1", broken: null });
  });

  it("blames no merge when something else broke the base", () => {
    const story = aStory("auto", null);
    story.check = () => "failed";
    moveBase(story, "base1");
    expect(mainOf(story)?.broken?.culprit).toEqual({ key: null, commit: "base1" });
    expect(eventsOf(story, "main.reverted")).toEqual([]);
  });

  it("does nothing while it is off", () => {
    const story = aStory("off", "h3");
    expect(mainOf(story)).toBeUndefined();
  });

  it("continues its search after a kill", () => {
    const story = aStory("auto", "h2");
    restart(story);
    expect(eventsOf(story, "main.reverted")).toHaveLength(1);
    expect(mainOf(story)?.broken).toBeNull();
  });
});

describe("the search for the merge that broke the base", () => {
  it.each([1, 2, 3, 7, 8, 64])("finds any of %i merges in as many checks as bisecting takes", (count) => {
    const suspects = Array.from({ length: count }, (_, index) => ({ commit: `c${index}`, key: `demo/${index}` }));
    for (let bad = 0; bad < count; bad += 1) {
      const results = new Map<string, "passed" | "failed">();
      let step = searchCulprit(suspects, (commit) => results.get(commit) ?? null);
      while (step?.kind === "check") {
        results.set(step.commit, Number(step.commit.slice(1)) < bad ? "passed" : "failed");
        step = searchCulprit(suspects, (commit) => results.get(commit) ?? null);
      }
      expect(step).toEqual({ kind: "found", suspect: suspects[bad] });
      expect(results.size).toBeLessThanOrEqual(Math.ceil(Math.log2(count)));
    }
  });

  it("blames nobody if a check could not be run on the way", () => {
    const suspects = ["a", "b", "c"].map((commit) => ({ commit, key: `demo/${commit}` }));
    const step = searchCulprit(suspects, () => "setup-failed");
    expect(step).toEqual({ kind: "found", suspect: { commit: "c", key: null } });
  });
});
