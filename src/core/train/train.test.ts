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
import { aPolicy } from "../../testing/change-builders.ts";
import { needsOfProject } from "../need/project-needs.ts";

interface Facts {
  readonly batch?: number;
  readonly pulls?: number;
  /** Commits that fail every check. */
  readonly red?: (commit: string) => boolean;
}

/** Pull requests #1 to #n, green alone; nothing is merged until the train is resumed. */
function aTrain({ batch = 1, pulls = 2, red = () => false }: Facts = {}): Story {
  const story = beginStory(aPolicy({ merging: { approvals: 0 }, train: { batch } }));
  story.check = (_, commit) => (red(commit) ? "failed" : "passed");
  story.isHeadTree = (_, base) => base === "base0";
  ask(story, { type: "train.pause", projectId: "demo", by: "ann" });
  agentTurn(story, "h1");
  for (let number = 2; number <= pulls; number += 1) {
    beginSession(story, { title: `Task ${number}` });
    agentTurn(story, `h${number}`, `demo-task-${number}`);
    story.now += 1000;
  }
  return story;
}

function resume(story: Story): void {
  ask(story, { type: "train.resume", projectId: "demo", by: "ann" });
}

function mergedHeads(story: Story): string {
  return story.world.view.project("demo")?.baseHead ?? "";
}

function checkedCommits(story: Story): readonly string[] {
  return eventsOf(story, "commit.check-started").map(({ commit }) => commit);
}

function needsOf(story: Story): readonly string[] {
  const project = story.world.view.project("demo");
  return project === undefined ? [] : needsOfProject(project).map(({ text }) => text);
}

const together = (one: string, other: string) => (commit: string) => commit.includes(one) && commit.includes(other);

describe("the merge train", () => {
  it("merges a pull request without re-checking it if nothing else was merged to the base", () => {
    const story = aTrain({ pulls: 1 });
    resume(story);
    expect(mergedHeads(story)).toBe("base0+h1");
    expect(checkedCommits(story)).toEqual([]);
  });

  it("checks exactly the tree that the base becomes, one pull request at a time", () => {
    const story = aTrain({ pulls: 3 });
    resume(story);
    expect(mergedHeads(story)).toBe("base0+h1+h2+h3");
    expect(checkedCommits(story)).toEqual(["base0+h1+h2", "base0+h1+h2+h3"]);
  });

  it("sends the later of two that break together back to its agent, with evidence, and merges the rest", () => {
    const story = aTrain({ pulls: 3, red: together("h1", "h2") });
    resume(story);
    expect(mergedHeads(story)).toBe("base0+h1+h3");
    expect(changeOf(story, "demo/2").phase).toBe("open");
    const [text = ""] = toldOf(story, "demo-task-2");
    expect(text).toContain("passed alone but failed with exit code 1 when merged into main together with #1");
    expect(text).toContain("git merge main && npm test");
    expect(text).toContain("unit says no on base0+h1+h2");
  });

  it("re-checks a red tree before anyone is notified", () => {
    const story = aTrain();
    story.check = (_, commit, attempt) => (commit === "base0+h1+h2" && attempt === 1 ? "failed" : "passed");
    resume(story);
    expect(mergedHeads(story)).toBe("base0+h1+h2");
    expect(eventsOf(story, "merge.rejected")).toEqual([]);
  });

  it("takes a rejected pull request again after a new commit", () => {
    const story = aTrain({ red: together("h1", "h2") });
    resume(story);
    story.check = () => "passed";
    agentTurn(story, "fixed", "demo-task-2");
    expect(mergedHeads(story)).toBe("base0+h1+fixed");
    expect(changeOf(story, "demo/2").problems).toEqual({});
  });

  it("retries a rejected pull request on a newer base if someone re-runs its checks", () => {
    const story = aTrain({ red: together("h1", "h2") });
    resume(story);
    story.check = () => "passed";
    moveBase(story, "base0+h1+x");
    expect(mergedHeads(story)).toBe("base0+h1+x");
    ask(story, { type: "change.recheck", key: "demo/2", check: null, by: "ann" });
    expect(mergedHeads(story)).toBe("base0+h1+x+h2");
  });

  it("rebuilds and re-checks if the base moves meanwhile", () => {
    const story = aTrain();
    story.check = (_, commit) => (commit === "base0+h1+h2" ? null : "passed");
    resume(story);
    expect(mergedHeads(story)).toBe("base0+h1");
    moveBase(story, "base0+h1+x");
    expect(mergedHeads(story)).toBe("base0+h1+x+h2");
    expect(eventsOf(story, "train.ended").map(({ outcome }) => outcome)).toEqual(["merged", "dissolved", "merged"]);
  });

  it("tells a person once the base has moved three times while it was checking, until it comes to a result", () => {
    const story = aTrain();
    story.check = (_, commit) => (commit.endsWith("+h2") ? null : "passed");
    resume(story);
    for (const base of ["base0+h1+x", "base0+h1+x+y"]) moveBase(story, base);
    expect(needsOf(story)).toEqual([]);
    moveBase(story, "base0+h1+x+y+z");
    moveBase(story, "base0+h1+x+y+z+z");
    expect(needsOf(story)).toEqual([
      "main moved 4 times in a row while the merge of demo/2 was being checked. `ao` keeps trying; it merges once main stays where it is for as long as the checks take.",
    ]);
    story.check = () => "passed";
    perform(story);
    expect(mergedHeads(story)).toBe("base0+h1+x+y+z+z+h2");
    expect(needsOf(story)).toEqual([]);
    expect(story.world.view.project("demo")?.train?.overtaken).toBeUndefined();
  });

  it("rebuilds if it saw the base move before its own merge notices", () => {
    const story = aTrain({ pulls: 1 });
    story.held.add("merge-change");
    resume(story);
    moveBase(story, "base0+x");
    story.merging = ({ exact }) => {
      const facts = { head: "h1", baseHead: "base0+x", ahead: 1 };
      return exact?.base === facts.baseHead ? null : { kind: "merge-outdated", reason: "main has moved since", facts };
    };
    story.held.clear();
    perform(story);
    expect(mergedHeads(story)).toBe("base0+x+h1");
    expect(eventsOf(story, "merge.refused")).toEqual([]);
  });

  it.each([
    ["a label that blocks", { type: "change.label", key: "demo/2", add: ["hold"], remove: [], by: "ann" }],
    ["a person who cancels the merge", { type: "change.cancel-merge", key: "demo/2", by: "ann" }],
    ["closing it", { type: "change.close", key: "demo/2", by: "ann", reason: "no" }],
  ] as const)("drops a pull request from the batch after %s", (_, command) => {
    const story = aTrain();
    const policy = aPolicy({ merging: { approvals: 0, blockLabels: ["hold"] }, train: { batch: 1 } });
    ask(story, { type: "project.policy", id: "demo", policy });
    story.check = (_name, commit) => (commit === "base0+h1+h2" ? null : "passed");
    resume(story);
    ask(story, command);
    story.check = () => "passed";
    perform(story);
    expect(mergedHeads(story)).toBe("base0+h1");
    expect(story.world.view.project("demo")?.train?.batch).toBeNull();
  });

  it("continues where it was after a kill", () => {
    const story = aTrain({ pulls: 3 });
    story.check = (_, commit) => (commit === "base0+h1+h2" ? null : "passed");
    resume(story);
    restart(story);
    story.check = () => "passed";
    perform(story);
    expect(mergedHeads(story)).toBe("base0+h1+h2+h3");
  });

  it("changes nothing while it is off", () => {
    const story = beginStory(aPolicy({ merging: { approvals: 0 } }));
    agentTurn(story, "h1");
    expect(eventsOf(story, "train.formed")).toEqual([]);
    expect(mergedHeads(story)).toBe("merge-of-h1");
    expect(submit(story, { type: "train.pause", projectId: "demo", by: "ann" })[0]).toMatchObject({ kind: "rejected" });
  });
});

describe("a batch", () => {
  it("is checked once, as a whole", () => {
    const story = aTrain({ batch: 3, pulls: 3 });
    resume(story);
    expect(mergedHeads(story)).toBe("base0+h1+h2+h3");
    expect(checkedCommits(story)).toEqual(["base0+h1+h2+h3"]);
  });

  it("that is red is bisected until the pull request that breaks it is found", () => {
    const story = aTrain({ batch: 8, pulls: 8, red: together("h2", "h7") });
    resume(story);
    expect(mergedHeads(story)).toBe("base0+h1+h2+h3+h4+h5+h6+h8");
    expect(eventsOf(story, "merge.rejected").map(({ head, since }) => [head, since])).toEqual([
      ["h7", [1, 2, 3, 4, 5, 6]],
    ]);
    expect(eventsOf(story, "train.ended").filter(({ outcome }) => outcome === "split")).toHaveLength(1);
  });

  it("omits what conflicts with the ones before it; that conflict goes to its agent", () => {
    const story = aTrain({ batch: 3, pulls: 3 });
    story.conflicts = (head, base) => (head === "h2" && base.includes("h1") ? ["a.ts"] : []);
    resume(story);
    expect(mergedHeads(story)).toBe("base0+h1+h3");
    expect(toldOf(story, "demo-task-2").at(-1)).toContain("conflicts with main");
  });
});

describe("a person at the merge train", () => {
  it("pauses it: nothing is merged until it is resumed", () => {
    const story = aTrain();
    expect(mergedHeads(story)).toBe("base0");
    resume(story);
    expect(mergedHeads(story)).toBe("base0+h1+h2");
  });

  it("reorders what waits in it", () => {
    const story = aTrain({ pulls: 3 });
    ask(story, { type: "train.move", projectId: "demo", number: 3, to: 1, by: "ann" });
    resume(story);
    expect(mergedHeads(story)).toBe("base0+h3+h1+h2");
  });

  it("cannot move what is not in it", () => {
    const [decision] = submit(aTrain(), { type: "train.move", projectId: "demo", number: 9, to: 1, by: "ann" });
    expect(decision).toMatchObject({ rejection: { code: "not-found", hint: "In it: #1, #2." } });
  });
});
