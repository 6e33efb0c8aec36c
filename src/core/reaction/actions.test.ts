import { describe, expect, it } from "vitest";
import {
  advance,
  agentTurn,
  ask,
  beginStory,
  changeOf,
  eventsOf,
  perform,
  review,
  type Story,
  sessionOf,
  submit,
  toldOf,
} from "../../../test/support/story.ts";
import { aCheckRule, aPolicy, aRule } from "../../testing/change-builders.ts";
import type { StoredSignal } from "../agent-signal.ts";
import { type ProjectPolicy, REACTION_ACTIONS, type ReactionAction, type ReactionRule } from "../policy.ts";
import { EVENT_FIELDS } from "./event-keys.ts";
import { actionsFor, findActionFault } from "./fitting-actions.ts";

const MINUTE = 60_000;

/** A policy in which one optional check is always red, and only the rule under test acts. */
function policyFor(key: string, rule: Partial<ReactionRule>, merging: Partial<ProjectPolicy["merging"]> = {}) {
  const quiet = aRule({ action: "notify", retries: 0 });
  const own = aRule({ message: "Hear this: {{problem}}", retries: 1, label: "seen", run: "true", ...rule });
  return aPolicy({
    checks: { unit: aCheckRule(), lint: aCheckRule({ required: key === "ci-failed" }) },
    budget: { perSession: 1, perTask: null, perDay: null, perDayInAll: null },
    merging,
    reactions: {
      "ci-failed": quiet,
      "changes-requested": quiet,
      "review-commented": quiet,
      "merge-conflict": quiet,
      "approved-and-green": quiet,
      [key]: { ...own, thresholdMs: key === "agent-idle" || key === "agent-stuck" ? MINUTE : null },
    },
  });
}

function signal(story: Story, ...signals: readonly StoredSignal[]): void {
  submit(story, { type: "run.signals", sessionId: "demo-fix-it", run: sessionOf(story).run.n, signals });
  perform(story);
}

function label(story: Story, add: readonly string[], remove: readonly string[] = []): void {
  ask(story, { type: "change.label", key: "demo/1", add, remove, by: "ann" });
}

function collide(story: Story, other: string | null): void {
  const collisions = [{ session: "demo-fix-it", other, files: ["a.ts"] }];
  submit(story, { type: "collisions.seen", projectId: "demo", collisions });
  perform(story);
}

/** How what each key is about comes to be, in a story whose agent has just begun. */
const HAPPENS: Readonly<Record<string, (story: Story) => void>> = {
  "ci-failed": (story) => agentTurn(story, "head1"),
  "changes-requested": (story) => {
    agentTurn(story, "head1");
    review(story, "request-changes", "no");
  },
  "review-commented": (story) => {
    agentTurn(story, "head1");
    review(story, "comment", "hm");
  },
  "bot-commented": (story) => {
    agentTurn(story, "head1");
    review(story, "comment", "hm", "rabbit[bot]");
  },
  "merge-conflict": (story) => {
    story.conflicts = () => ["a.ts"];
    agentTurn(story, "head1");
  },
  "approved-and-green": (story) => {
    agentTurn(story, "head1");
    review(story, "approve");
  },
  "label-added": (story) => {
    agentTurn(story, "head1");
    label(story, ["big"]);
  },
  "label-removed": (story) => {
    agentTurn(story, "head1");
    label(story, ["big"]);
    label(story, [], ["big"]);
  },
  "pr-opened": (story) => agentTurn(story, "head1"),
  "pr-closed": (story) => {
    agentTurn(story, "head1");
    ask(story, { type: "change.close", key: "demo/1", by: "ann", reason: "not needed" });
  },
  "pr-merged": (story) => {
    agentTurn(story, "head1");
    review(story, "approve");
    ask(story, { type: "change.merge", key: "demo/1", strategy: null, by: "ann" });
  },
  uncommitted: (story) => {
    story.dirty.set(sessionOf(story).branch, "tree1");
    agentTurn(story);
  },
  "agent-idle": (story) => {
    agentTurn(story);
    advance(story, 2 * MINUTE);
  },
  "agent-stuck": (story) => {
    signal(story, { kind: "status", state: "working", note: null });
    advance(story, 2 * MINUTE);
  },
  "agent-needs-input": (story) =>
    signal(story, { kind: "asked", id: "q-1", question: "Which one?", choices: ["a", "b"] }),
  "agent-exited": (story) => signal(story, { kind: "errored", reason: "out of ideas" }),
  "rate-limited": (story) => signal(story, { kind: "limited", until: null, reason: "429" }),
  "budget-exceeded": (story) => signal(story, { kind: "usage", inputTokens: 1, outputTokens: 1, costUsd: 3 }),
  collision: (story) => collide(story, "demo-add-it"),
  "main-moved": (story) => {
    submit(story, { type: "base.moved", projectId: "demo", head: "base1" });
    collide(story, null);
  },
  "all-complete": (story) => {
    agentTurn(story, "head1");
    review(story, "approve");
    ask(story, { type: "change.merge", key: "demo/1", strategy: null, by: "ann" });
  },
  "check.finished": (story) => agentTurn(story, "head1"),
  "agent.finished": (story) => agentTurn(story),
};

/** What shows that an action was taken. */
const SHOWS: Readonly<Record<ReactionAction, (story: Story, key: string) => void>> = {
  "send-to-agent": (story) => {
    const { messages } = sessionOf(story);
    expect(messages.filter(({ preview }) => preview?.startsWith("Hear this: "))).toHaveLength(1);
  },
  notify: (story, key) => expect(eventsOf(story, "notice.raised").some((notice) => notice.key === key)).toBe(true),
  merge: (story) => expect(changeOf(story).phase).toBe("merged"),
  "spawn-reviewer": (story) => {
    const reviewer = sessionOf(story, "demo-review-1");
    expect(reviewer).toMatchObject({ role: "reviewer", base: "agent/fix-it", reviewOf: "demo/1", phase: "open" });
    expect(toldOf(story, reviewer.id)[0]).toContain("Hear this: ");
  },
  "rerun-ci": (story, key) => {
    // A red check that a merge needs ran again before the rule heard of it.
    const before = key === "ci-failed" ? [{ name: "lint", attempt: 2, by: "ao" }] : [];
    const rerun = { name: "lint", attempt: before.length + 2, by: "ao" };
    expect(eventsOf(story, "check.rerun-requested")).toMatchObject([...before, rerun]);
  },
  stop: (story) => expect(sessionOf(story).phase).toBe("stopped"),
  comment: (story) => {
    const [thread] = changeOf(story).threads.filter(({ comments: [first] }) => first?.author === "ao");
    expect(thread).toMatchObject({ resolvedBy: "ao" });
  },
  label: (story) => expect(changeOf(story).labels).toContain("seen"),
  run: (story) => {
    expect(story.ran).toHaveLength(1);
    expect(eventsOf(story, "command.finished")).toMatchObject([{ code: 0 }]);
  },
};

const CELLS = Object.keys(HAPPENS).flatMap((key) => REACTION_ACTIONS.map((action) => [key, action] as const));

describe("a rule", () => {
  it.each(CELLS.filter(([key, action]) => findActionFault(key, action) === null))(
    "for %s takes the action %s, once",
    (key, action) => {
      const approvals = key === "approved-and-green" || key === "pr-merged" || key === "all-complete" ? 1 : 2;
      const story = beginStory(policyFor(key, { action }, { approvals }));
      story.check = (name) => (name === "lint" ? "failed" : "passed");
      HAPPENS[key]?.(story);
      SHOWS[action](story, key);
    },
  );

  it.each(CELLS.filter(([key, action]) => findActionFault(key, action) !== null))(
    "for %s cannot have the action %s, with a reason",
    (key, action) => {
      expect(findActionFault(key, action)).toMatch(/^(it is about|only approved-and-green|this action needs)/);
      expect(actionsFor(key)).not.toContain(action);
    },
  );

  it.each(Object.keys(EVENT_FIELDS))("for the event %s can notify", (type) => {
    expect(actionsFor(type)).toContain("notify");
  });
});
