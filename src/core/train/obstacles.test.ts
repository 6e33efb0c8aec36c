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
  moveBase,
  perform,
  restart,
  type Story,
} from "../../../test/support/story.ts";
import { aPolicy } from "../../testing/change-builders.ts";
import type { IntentOutcome } from "../intent.ts";
import type { Blocker } from "../merge/blockers.ts";
import { needsOfChange } from "../need/change-needs.ts";
import type { MergePolicy, ProjectPolicy } from "../policy.ts";

type Rules = Partial<MergePolicy>;

const NOT_NOW: IntentOutcome = { kind: "failed", code: "conflict", message: "no", hint: null };

function policyWith(merging: Rules = {}, batch = 1): ProjectPolicy {
  return aPolicy({ merging: { approvals: 0, blockLabels: ["hold"], ...merging }, train: { batch } });
}

function setPolicy(story: Story, merging: Rules): void {
  ask(story, { type: "project.policy", id: "demo", policy: policyWith(merging) });
}

/** Two pull requests in the train, whose merges are requested; nothing moves until it is resumed. */
function twoInTheTrain(batch = 1): Story {
  const story = beginStory(policyWith({}, batch));
  story.isHeadTree = () => false;
  ask(story, { type: "train.pause", projectId: "demo", by: "ann" });
  agentTurn(story, "h1");
  beginSession(story, { title: "Task 2" });
  agentTurn(story, "h2", "demo-task-2");
  return story;
}

const start = (story: Story): void => ask(story, { type: "train.resume", projectId: "demo", by: "ann" });

/** Puts the first one aboard, with its check still running. */
function withFirstAboard(batch = 1): Story {
  const story = twoInTheTrain(batch);
  story.check = (_, commit) => (commit.includes("+h1") ? null : "passed");
  start(story);
  expect(story.world.view.project("demo")?.train?.batch?.cars[0]?.key).toBe("demo/1");
  return story;
}

const isMerged = (story: Story, key: string): boolean => changeOf(story, key).phase === "merged";

/** The rows of the first one in the inbox. */
const inboxOf = (story: Story): string =>
  needsOfChange(story.world.view, changeOf(story))
    .map(({ text }) => text)
    .join("; ");

const onFirst =
  (outcome: IntentOutcome) =>
  (story: Story): void => {
    story.merging = ({ changeKey }) => (changeKey === "demo/1" ? outcome : null);
  };

const label = (name: string) => (story: Story) =>
  ask(story, { type: "change.label", key: "demo/1", add: [name], remove: [], by: "ann" });

const reviewFirst = (story: Story): void =>
  ask(story, {
    type: "change.review",
    key: "demo/1",
    reviewId: "v9",
    author: "ann",
    verdict: "request-changes",
    body: { inline: "no" },
    comments: [],
    head: null,
  });

/** How each blocker comes to a requested merge in the train; a text: why it cannot. */
const BLOCKERS: Readonly<Record<Blocker["kind"], ((story: Story) => void) | string>> = {
  "not-open": (story) => ask(story, { type: "change.close", key: "demo/1", by: "ann", reason: "no" }),
  check: (story) => {
    story.check = (_, commit) => (commit === "h1" ? null : "passed");
    ask(story, { type: "change.recheck", key: "demo/1", check: null, by: "ann" });
  },
  "changes-requested": reviewFirst,
  approvals: "it concerns all of them alike",
  "merge-untried": "the answer to a try comes, or it becomes mergeability-unknown",
  conflict: (story) => {
    story.conflicts = (head) => (head === "h1" ? ["a.ts"] : []);
    moveBase(story, "base1");
  },
  "mergeability-unknown": (story) => {
    story.trying = (head) => (head === "h1" ? NOT_NOW : null);
    moveBase(story, "base1");
  },
  label: label("hold"),
  train: (story) => {
    story.check = (_, commit) => (commit.includes("+h1") ? "failed" : "passed");
    perform(story);
  },
  unmeasured: "it is measured with the try, or then a person's approval is missing",
  path: "the same as a label: a rule that this one breaks",
  held: "the same as a path",
  "too-large": "the same as a label: a rule that this one breaks",
  rule: (story) => setPolicy(story, { rules: [{ unless: "pr.number != 1", say: "the first one stays out" }] }),
  unpublished: "only on a remote forge, which has no train",
  unreported: "only on a remote forge, which has no train",
  draft: "only on a remote forge, which has no train",
  forge: "only on a remote forge, which has no train",
  parent: "a merge that is requested meanwhile waits outside until its parent is merged",
  paused: "a person pauses the whole project",
};

const BLOCKING = Object.entries(BLOCKERS).flatMap(([kind, block]) =>
  typeof block === "string" ? [] : [[kind, block] as const],
);

/** Everything that stops a merge whose turn it is, although no rule objects. */
const OBSTACLES: readonly (readonly [what: string, how: (story: Story) => void, said: string])[] = [
  [
    "a person's own changes in the checkout",
    onFirst({ kind: "merge-waits", reason: "your own changes in a.ts", files: ["a.ts"] }),
    "your own changes in a.ts",
  ],
  [
    "a lock that another program left behind",
    onFirst({ kind: "merge-waits", reason: "remove .git/index.lock", files: [] }),
    "remove .git/index.lock",
  ],
  [
    "a forge or repository that cannot be reached",
    onFirst({ kind: "merge-waits", reason: "it cannot be read", files: [], retryAfterMs: 60_000 }),
    "it cannot be read",
  ],
  ["a hook that refuses it", onFirst({ ...NOT_NOW, message: "hook before-merge refused: no" }), "hook before-merge"],
  [
    "a branch that is gone",
    onFirst({ kind: "merge-outdated", reason: "there is no branch agent/fix-it", facts: null }),
    "there is no branch",
  ],
  [
    "a build that fails",
    (story) => {
      story.building = ({ cars }) => (cars.some(({ key }) => key === "demo/1") ? NOT_NOW : null);
    },
    "no",
  ],
  ...(["setup-failed", "unknown", "cancelled", "failed", "timed-out"] as const).map(
    (state) =>
      [
        `a check that ends as ${state} on the merged result`,
        (story: Story): void => {
          story.check = (_, commit) => (commit.includes("+h1") ? state : "passed");
        },
        "",
      ] as const,
  ),
];

describe("a pull request that cannot be merged now", () => {
  it.each(BLOCKING)("lets the others pass if it gets the blocker %s before its turn", (_, block) => {
    const story = twoInTheTrain();
    block(story);
    start(story);
    expect(isMerged(story, "demo/2")).toBe(true);
    expect(isMerged(story, "demo/1")).toBe(false);
  });

  it.each(BLOCKING)("lets the others pass if it gets the blocker %s in its turn", (_, block) => {
    const story = withFirstAboard();
    block(story);
    expect(isMerged(story, "demo/2")).toBe(true);
    expect(isMerged(story, "demo/1")).toBe(false);
  });

  it.each(OBSTACLES)("lets the others pass if it meets %s, and the reason is in the inbox", (_, stop, said) => {
    const story = twoInTheTrain();
    stop(story);
    start(story);
    expect(isMerged(story, "demo/2")).toBe(true);
    expect(isMerged(story, "demo/1")).toBe(false);
    if (said !== "") expect(inboxOf(story)).toContain(said);
  });

  it.each(OBSTACLES)("lets the others of its batch pass if it meets %s", (_, stop) => {
    const story = twoInTheTrain(2);
    stop(story);
    start(story);
    expect(isMerged(story, "demo/2")).toBe(true);
    expect(isMerged(story, "demo/1")).toBe(false);
  });
});

describe("a pull request that waits", () => {
  const busy: IntentOutcome = { kind: "merge-waits", reason: "your own changes in a.ts", files: ["a.ts"] };

  it("is merged as soon as it can be, however many passed it", () => {
    const story = twoInTheTrain();
    onFirst(busy)(story);
    start(story);
    story.merging = () => null;
    advance(story, 2 * MINUTE);
    expect(isMerged(story, "demo/1")).toBe(true);
  });

  it("takes turns with others that wait, and checks nothing twice", () => {
    const story = twoInTheTrain();
    story.merging = () => busy;
    start(story);
    advance(story, 10 * MINUTE);
    story.merging = ({ changeKey }) => (changeKey === "demo/2" ? null : busy);
    advance(story, 3 * MINUTE);
    expect(isMerged(story, "demo/2")).toBe(true);
    expect(eventsOf(story, "commit.check-started").map(({ commit }) => commit)).toEqual([
      "base0+h1",
      "base0+h2",
      "base0+h2+h1",
    ]);
  });

  it("goes on after a restart", () => {
    const story = twoInTheTrain();
    onFirst(busy)(story);
    start(story);
    restart(story);
    story.merging = () => null;
    advance(story, 2 * MINUTE);
    expect(isMerged(story, "demo/1")).toBe(true);
  });
});

describe("quiet hours", () => {
  // The story starts at 00:16:40 UTC.
  const quietHours = { from: "00:00", to: "01:00", timeZone: "UTC" };

  /** Both merges are requested at night; nothing is merged. */
  function quiet(): Story {
    const story = twoInTheTrain();
    setPolicy(story, { quietHours });
    start(story);
    expect([isMerged(story, "demo/1"), isMerged(story, "demo/2")]).toEqual([false, false]);
    return story;
  }

  it("do not hold a merge that overrides them", () => {
    const story = quiet();
    ask(story, { type: "change.merge", key: "demo/2", by: "ann", strategy: null, override: "production is down" });
    expect([isMerged(story, "demo/1"), isMerged(story, "demo/2")]).toEqual([false, true]);
    advance(story, 60 * MINUTE);
    expect(isMerged(story, "demo/1")).toBe(true);
  });

  it.each([
    ["are gone from the configuration", null],
    ["end earlier in the configuration", { ...quietHours, to: "00:10" }],
  ])("end at once if they %s", (_, hours) => {
    const story = quiet();
    setPolicy(story, { quietHours: hours });
    expect([isMerged(story, "demo/1"), isMerged(story, "demo/2")]).toEqual([true, true]);
  });

  it("that are gone while the daemon was down hold nothing after it", () => {
    const story = quiet();
    restart(story);
    expect(isMerged(story, "demo/1")).toBe(false);
    setPolicy(story, { quietHours: null });
    expect(isMerged(story, "demo/1")).toBe(true);
  });

  it("that end later in the configuration hold it until then", () => {
    const story = quiet();
    setPolicy(story, { quietHours: { ...quietHours, to: "02:00" } });
    advance(story, 60 * MINUTE);
    expect(changeOf(story).mergeRequest?.reason).toBe("quiet hours until 02:00 (UTC)");
  });

  it("leave the order to people", () => {
    const story = quiet();
    ask(story, { type: "train.move", projectId: "demo", number: 2, to: 1, by: "ann" });
    advance(story, 60 * MINUTE);
    expect(story.world.view.project("demo")?.baseHead).toBe("base0+h2+h1");
  });

  it("are no reason to show once they are over", () => {
    const story = quiet();
    story.held.add("merge-change");
    advance(story, 60 * MINUTE);
    expect(changeOf(story, "demo/2").mergeRequest?.reason).toBeNull();
  });
});

describe("a commit of a batch that is gone from the repository", () => {
  /** The first merge finds nothing to merge; later ones do. */
  function pruned(): Story {
    const story = twoInTheTrain();
    let isGone = true;
    story.merging = () => {
      const answer: IntentOutcome | null = isGone ? { kind: "train-lost" } : null;
      isGone = false;
      return answer;
    };
    start(story);
    return story;
  }

  it("is built again and merged, without another check and without a notice", () => {
    const story = pruned();
    expect(story.world.view.project("demo")?.baseHead).toBe("base0+h1+h2");
    expect(eventsOf(story, "commit.check-started").map(({ commit }) => commit)).toEqual(["base0+h1", "base0+h1+h2"]);
    expect(eventsOf(story, "problem.seen").map(({ id }) => id)).toEqual([]);
  });

  it("is checked again if it was pruned before its check, and a red check is repeated as ever", () => {
    const story = twoInTheTrain();
    const answers: (IntentOutcome | null)[] = [{ kind: "train-lost" }];
    story.checking = () => answers.shift() ?? null;
    story.check = (_, commit, attempt) => (commit.includes("+h1") && attempt === 2 ? "failed" : "passed");
    start(story);
    expect(story.world.view.project("demo")?.baseHead).toBe("base0+h1+h2");
    expect(eventsOf(story, "commit.check-finished").map(({ state }) => state)).toEqual([
      "cancelled",
      "failed",
      "passed",
      "passed",
    ]);
  });

  it("is kept while its batch lasts, and no longer", () => {
    const story = twoInTheTrain();
    story.building = ({ cars }) => ({
      kind: "train-built",
      cars: cars.map(({ head }) => ({ commit: `built-${head}`, isHeadTree: false, since: [] })),
      conflicts: [],
      isKept: true,
    });
    story.held.add("merge-change");
    start(story);
    expect(story.world.view.project("demo")?.train?.kept).toEqual([1]);
    expect(eventsOf(story, "train.released")).toEqual([]);
    restart(story);
    story.held.clear();
    perform(story);
    expect(story.world.view.project("demo")?.train?.kept).toEqual([]);
    expect(eventsOf(story, "train.released").map(({ number }) => number)).toEqual([1, 2]);
  });
});

describe("a merge that overrides the rules", () => {
  it("goes before one whose check is running", () => {
    const story = withFirstAboard();
    ask(story, { type: "change.merge", key: "demo/2", by: "ann", strategy: null, override: "production is down" });
    expect(isMerged(story, "demo/2")).toBe(true);
    expect(eventsOf(story, "train.ended")[0]).toMatchObject({
      outcome: "dissolved",
      reason: "#2 goes first: it overrides the rules",
    });
  });

  it("waits for one that is being merged this moment", () => {
    const story = twoInTheTrain();
    story.held.add("merge-change");
    start(story);
    ask(story, { type: "change.merge", key: "demo/2", by: "ann", strategy: null, override: "production is down" });
    expect(story.world.view.project("demo")?.train?.batch?.cars[0]?.key).toBe("demo/1");
    story.held.clear();
    perform(story);
    expect(story.world.view.project("demo")?.baseHead).toBe("base0+h1+h2");
  });
});
