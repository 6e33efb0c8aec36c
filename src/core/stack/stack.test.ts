import { describe, expect, it } from "vitest";
import {
  advance,
  agentTurn,
  ask,
  beginSession,
  beginStory,
  changeOf,
  eventsOf,
  MINUTE,
  perform,
  restart,
  type Story,
  sessionOf,
  submit,
  toldOf,
} from "../../../test/support/story.ts";
import { aCreate } from "../../testing/builders.ts";
import { aPolicy } from "../../testing/change-builders.ts";
import type { Command } from "../input.ts";
import { blockersOf, describeBlocker } from "../merge/blockers.ts";
import { explainMerge } from "../merge/explain.ts";
import { baseHeadOf } from "./base.ts";

const CHILD = "demo-child";
const PARENT = "demo-fix-it";

/** Pull request #1 with commit p1, and a session that builds on it. */
function aStack(policy = aPolicy({ merging: { approvals: 1 }, train: { batch: 1 } })): Story {
  const story = beginStory(policy);
  agentTurn(story, "p1");
  beginSession(story, { title: "Child", on: PARENT });
  return story;
}

/** The same with pull request #2 on #1. */
function aStackedPull(policy?: ReturnType<typeof aPolicy>): Story {
  const story = aStack(policy);
  agentTurn(story, "c1", CHILD);
  return story;
}

function blockers(story: Story, key = "demo/2"): readonly string[] {
  return (blockersOf(story.world.view, changeOf(story, key)) ?? []).map((one) => describeBlocker(one));
}

function approve(story: Story, key: string): void {
  story.serial += 1;
  const said = { author: "ann", verdict: "approve", body: null, comments: [], head: null } as const;
  ask(story, { type: "change.review", key, reviewId: `v${story.serial}`, ...said });
}

function merge(story: Story, key: string): void {
  ask(story, { type: "change.merge", key, strategy: null, override: null, by: "ann" });
}

const onMain = ({ world }: Story): string => world.view.project("demo")?.baseHead ?? "";

describe("a session on the work of another", () => {
  it("starts at the newest commit of its parent's branch", () => {
    const story = aStack();
    expect(sessionOf(story, CHILD)).toMatchObject({
      base: "agent/fix-it",
      stackedOn: { sessionId: PARENT, branch: "agent/fix-it" },
      workspace: { baseCommit: "p1", head: "p1" },
    });
  });

  it("opens its pull request into its parent's branch, and leaves the project's base alone", () => {
    const story = aStackedPull();
    const parent = { sessionId: PARENT, branch: "agent/fix-it", number: 1, head: "p1" };
    expect(changeOf(story, "demo/2")).toMatchObject({ base: "agent/fix-it", stackedOn: parent });
    expect(changeOf(story, "demo/2").mergeability).toMatchObject({ head: "c1", baseHead: "p1" });
    expect(onMain(story)).toBe("base0");
  });

  it("opens no pull request as long as it has no commit of its own", () => {
    const story = aStack();
    agentTurn(story, null, CHILD);
    expect(story.world.view.change("demo/2")).toBeUndefined();
  });

  it("can build on a session that has no pull request yet, and learns its number", () => {
    const story = beginStory(aPolicy({ merging: { approvals: 1 }, train: { batch: 1 } }));
    beginSession(story, { title: "Child", on: PARENT });
    agentTurn(story, "c1", CHILD);
    expect(blockers(story, "demo/1")[0]).toBe(`waits for ${PARENT}`);
    agentTurn(story, "p1");
    expect(blockers(story, "demo/1")[0]).toBe("waits for #2");
    expect(eventsOf(story, "change.stacked").at(-1)?.on).toMatchObject({ number: 2, head: "p1" });
  });

  it.each([
    ["an unknown session", {}, "demo-nobody", 'There is no session "demo-nobody".'],
    [
      "a claimed pull request",
      { pullRequest: { number: 9, title: "x", url: null, head: "h", body: null } },
      PARENT,
      "A claimed pull request keeps its own base.",
    ],
  ] as const)("rejects %s", (_, facts, on, message) => {
    const story = beginStory();
    const [decision] = submit(story, aCreate({ title: "Child", messageId: "m", ...facts, on } as never));
    expect(decision).toMatchObject({ rejection: { message } });
  });

  it.each([
    ["stopped without a pull request", "is stopped and has no open pull request"],
    ["not started yet", "has no branch yet to build on"],
  ])("rejects a session that is %s", (state, message) => {
    const story = beginStory();
    if (state === "not started yet") {
      story.held.add("create-workspace");
      beginSession(story, { title: "Late" });
    } else {
      ask(story, { type: "session.stop", sessionId: PARENT, reason: "asked for" });
    }
    const on = state === "not started yet" ? "demo-late" : PARENT;
    const [decision] = submit(story, aCreate({ title: "Child", messageId: "m", on }));
    expect(decision).toMatchObject({ rejection: { message: `Session ${on} ${message}.` } });
  });
});

describe("a stacked pull request", () => {
  it("waits for its parent, whatever else is fine, and says so", () => {
    const story = aStackedPull();
    approve(story, "demo/2");
    expect(blockers(story)).toEqual(["waits for #1"]);
    const change = changeOf(story, "demo/2");
    const project = story.world.view.project("demo");
    const facts = { baseHead: baseHeadOf(change, project), now: story.now };
    const rules = explainMerge(change, project?.policy ?? aPolicy(), facts);
    expect(rules.filter(({ kind }) => kind === "parent" || kind === "conflicts")).toEqual([
      { kind: "conflicts", rule: "conflicts", verdict: "met", text: "merges cleanly into agent/fix-it" },
      { kind: "parent", rule: "stacked pull request", verdict: "waiting", text: "waits for #1" },
    ]);
  });

  it("is not merged before its parent, even against the rules, and right after it", () => {
    const story = aStackedPull();
    ask(story, { type: "change.merge", key: "demo/2", strategy: null, override: "urgent", by: "ann" });
    expect(eventsOf(story, "change.merged")).toEqual([]);
    approve(story, "demo/1");
    expect(onMain(story)).toBe("base0+p1+c1");
    expect(eventsOf(story, "change.merged").map(({ head }) => head)).toEqual(["p1", "c1"]);
  });

  it("goes into the default branch once its parent is merged, and is judged against it", () => {
    const story = aStackedPull();
    approve(story, "demo/1");
    const landed = { sessionId: PARENT, branch: "agent/fix-it", number: 1, head: "p1" };
    expect(eventsOf(story, "change.retargeted")).toEqual([
      { type: "change.retargeted", base: "main", by: "ao", landed },
    ]);
    const change = changeOf(story, "demo/2");
    expect(change).toMatchObject({ base: "main", landed, mergeability: { baseHead: "base0+p1" } });
    expect(change.stackedOn).toBeUndefined();
    expect(sessionOf(story, CHILD)).toMatchObject({ base: null, landed });
    expect(blockers(story)).toEqual(["needs 1 approval"]);
  });

  it("keeps its checks and its approval when it moves, and the train checks the result", () => {
    const story = aStackedPull();
    approve(story, "demo/2");
    merge(story, "demo/2");
    approve(story, "demo/1");
    expect(onMain(story)).toBe("base0+p1+c1");
    expect(eventsOf(story, "commit.check-started").map(({ commit }) => commit)).toEqual(["base0+p1+c1"]);
    expect(eventsOf(story, "check.started").map(({ head }) => head)).toEqual(["p1", "c1"]);
  });

  it("merges a stack of three in order, although the last was approved first", () => {
    const story = aStackedPull(aPolicy({ merging: { approvals: 1 }, train: { batch: 3 } }));
    beginSession(story, { title: "Top", on: CHILD });
    agentTurn(story, "t1", "demo-top");
    for (const key of ["demo/3", "demo/2", "demo/1"]) approve(story, key);
    expect(onMain(story)).toBe("base0+p1+c1+t1");
    expect(eventsOf(story, "change.retargeted")).toHaveLength(2);
  });

  it("is tried against each new commit of its parent; a conflict goes to its agent", () => {
    const story = aStackedPull();
    story.conflicts = (head, base) => (head === "c1" && base === "p2" ? ["a.txt"] : []);
    agentTurn(story, "p2");
    expect(changeOf(story, "demo/2")).toMatchObject({ stackedOn: { head: "p2" }, mergeability: { baseHead: "p2" } });
    const [text = ""] = toldOf(story, CHILD);
    expect(text).toContain("Your pull request #2 conflicts with agent/fix-it.");
    expect(text).toContain("git merge agent/fix-it");
  });

  it("tells its agent how to drop the parent's commits if it conflicts after the merge", () => {
    const story = aStackedPull();
    story.startsAfter = (head, landed) => (head === "c1" ? landed : null);
    story.conflicts = (head, base) => (head === "c1" && base === "base0+p1" ? ["a.txt"] : []);
    approve(story, "demo/1");
    const [text = ""] = toldOf(story, CHILD);
    expect(text).toContain("Your branch started from pull request #1, which is merged");
    expect(text).toContain("git rebase --onto main p1)");
    story.conflicts = (head) => (head === "c2" ? ["b.txt"] : []);
    agentTurn(story, "c2", CHILD);
    expect(toldOf(story, CHILD).at(-1)).toContain("git merge main");
  });

  it("does not blame the default branch for what its parent breaks", () => {
    const story = aStack();
    story.check = (_, head) => (head === "c1" ? "failed" : "passed");
    agentTurn(story, "c1", CHILD);
    expect(eventsOf(story, "commit.check-requested")).toEqual([]);
    expect(toldOf(story, CHILD)[0]).toContain("check `unit` of your pull request #2 failed");
    expect(toldOf(story, CHILD)[0]).not.toContain("agent/fix-it (");
  });
});

describe("a stack whose parent will not be merged", () => {
  const close: Command = { type: "change.close", key: "demo/1", by: "ann", reason: "no" };

  it("needs a person, with the command that helps", () => {
    const story = aStackedPull();
    ask(story, close);
    const text = '#1 was closed without a merge: `ao pr base "#2" main` moves #2 to main with all of its commits';
    expect(blockers(story)[0]).toBe(text);
    expect(changeOf(story, "demo/2").problems["parent-gone"]).toMatchObject({ text, escalations: 1 });
  });

  it("needs a person if the parent's session is stopped before it has a pull request", () => {
    const story = beginStory();
    beginSession(story, { title: "Child", on: PARENT });
    agentTurn(story, "c1", CHILD);
    ask(story, { type: "session.stop", sessionId: PARENT, reason: "asked for" });
    expect(blockers(story, "demo/1")[0]).toContain(`session ${PARENT} was stopped without a pull request`);
    ask(story, { type: "session.restore", sessionId: PARENT });
    expect(blockers(story, "demo/1")[0]).toBe(`waits for ${PARENT}`);
    expect(changeOf(story, "demo/1").problems["parent-gone"]).toBeUndefined();
  });

  it("is merged on its own after a person moved it to the default branch", () => {
    const story = aStackedPull();
    ask(story, close);
    ask(story, { type: "change.retarget", key: "demo/2", base: "main", by: "ann" });
    expect(sessionOf(story, CHILD).stackedOn).toBeUndefined();
    approve(story, "demo/2");
    expect(onMain(story)).toBe("base0+c1");
    expect(changeOf(story, "demo/2").problems["parent-gone"]).toBeUndefined();
  });

  it("follows its parent again if that is reopened", () => {
    const story = aStackedPull();
    ask(story, close);
    submit(story, { type: "session.send", sessionId: PARENT, messageId: "m", text: { inline: "go on" }, bytes: 5 });
    perform(story);
    agentTurn(story, "p2");
    expect(blockers(story)[0]).toBe("waits for #3");
  });

  it.each([["another branch", "release", "Pull requests of this project go into main, not into release."]])(
    "cannot be moved to %s",
    (_, base, message) => {
      const story = aStackedPull();
      const [decision] = submit(story, { type: "change.retarget", key: "demo/2", base, by: "ann" });
      expect(decision).toMatchObject({ rejection: { message } });
    },
  );
});

describe("a stack on a forge", () => {
  const remote = (): Story => {
    const story = beginStory(aPolicy({ merging: { approvals: 0 }, scm: { plugin: "github", config: {} } }));
    story.isRemote = true;
    agentTurn(story, "p1");
    beginSession(story, { title: "Child", on: PARENT });
    agentTurn(story, "c1", CHILD);
    return story;
  };
  const observe = (story: Story, number: number, facts: object): void => {
    const { head } = changeOf(story, `demo/${number}`);
    const quiet = { by: null, mergeCommit: null, baseHead: "base1", checks: [], reviews: [], labels: [], required: [] };
    const seen = { number, version: `2026-01-0${number}`, state: "open", head, ...quiet, blocked: null, ...facts };
    submit(story, { type: "change.seen", key: `demo/${number}`, seen } as never);
    perform(story);
  };

  it("stays in its parent's branch until the forge reports another base", () => {
    const story = remote();
    expect(changeOf(story, "demo/2")).toMatchObject({ base: "agent/fix-it", stackedOn: { number: 1 } });
    observe(story, 1, { state: "merged", by: "ann", mergeCommit: "base1" });
    expect(blockers(story)[0]).toContain(
      "#1 is merged, but #2 still goes into its branch: change the base of #2 to main",
    );
    expect(eventsOf(story, "change.retargeted")).toEqual([]);
    observe(story, 2, { base: "main" });
    expect(changeOf(story, "demo/2")).toMatchObject({ base: "main", landed: { number: 1, head: "p1" } });
    expect(changeOf(story, "demo/2").problems["parent-gone"]).toBeUndefined();
  });

  it("cannot be moved by ao", () => {
    const story = remote();
    const [decision] = submit(story, { type: "change.retarget", key: "demo/2", base: "main", by: "ann" });
    expect(decision).toMatchObject({ rejection: { message: "The forge controls the base of #2." } });
  });
});

describe("a stack over time", () => {
  it("survives a restart from the log", () => {
    const story = aStackedPull();
    restart(story, MINUTE);
    expect(blockers(story)[0]).toBe("waits for #1");
    approve(story, "demo/1");
    restart(story, MINUTE);
    expect(changeOf(story, "demo/2")).toMatchObject({ base: "main", landed: { number: 1 } });
  });

  it("opens its pull request into the default branch if the parent was merged first", () => {
    const story = aStack();
    approve(story, "demo/1");
    advance(story, MINUTE);
    agentTurn(story, "c1", CHILD);
    expect(changeOf(story, "demo/2")).toMatchObject({ base: "main", landed: { number: 1, head: "p1" } });
    expect(changeOf(story, "demo/2").stackedOn).toBeUndefined();
  });

  it("starts at the default branch if the parent was merged before its worktree was created", () => {
    const story = beginStory(aPolicy({ merging: { approvals: 1 }, train: { batch: 1 } }));
    agentTurn(story, "p1");
    submit(story, { type: "fleet.limit", limit: 1 });
    submit(story, { type: "fleet.pause", projectId: null });
    beginSession(story, { title: "Child", on: PARENT });
    expect(sessionOf(story, CHILD).phase).toBe("queued");
    submit(story, { type: "fleet.resume", projectId: null });
    ask(story, { type: "session.stop", sessionId: CHILD, reason: "asked for" });
    approve(story, "demo/1");
    ask(story, { type: "session.restore", sessionId: CHILD });
    expect(sessionOf(story, CHILD)).toMatchObject({ base: null });
    expect(sessionOf(story, CHILD).landed).toBeUndefined();
  });
});
