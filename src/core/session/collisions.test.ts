import { describe, expect, it } from "vitest";
import {
  advance,
  agentTurn,
  beginSession,
  beginStory,
  DAY,
  eventsOf,
  perform,
  type Story,
  sessionOf,
  submit,
  toldOf,
} from "../../../test/support/story.ts";
import { aPolicy, aRule } from "../../testing/change-builders.ts";
import type { Collision } from "../project/collision.ts";

const OTHER = "demo-add-it";

/** Two sessions, with rules for what the radar finds. */
function open(rules: readonly string[] = ["collision", "main-moved"]): Story {
  const reactions = Object.fromEntries(rules.map((key) => [key, aRule({ retries: 3 })]));
  const story = beginStory(aPolicy({ reactions, checks: {} }));
  beginSession(story, { title: "Add it" });
  return story;
}

function see(story: Story, ...collisions: readonly Collision[]): void {
  submit(story, { type: "collisions.seen", projectId: "demo", collisions });
  perform(story);
}

const pair = (...files: readonly string[]): Collision => ({ session: OTHER, other: "demo-fix-it", files });
const base = (...files: readonly string[]): Collision => ({ session: "demo-fix-it", other: null, files });

describe("a collision of two sessions", () => {
  it("is told to both agents once, each with the other's name and the files as data", () => {
    const story = open();
    see(story, pair("src/users.ts"));
    see(story, pair("src/users.ts"));
    expect(toldOf(story)).toHaveLength(1);
    expect(toldOf(story)[0]).toContain(`another agent, ${OTHER}, in the files`);
    expect(toldOf(story)[0]).toMatch(/<<<<<<<< files in conflict [^\n]*\nsrc\/users\.ts\n/);
    const told = story.told.filter(({ sessionId, text }) => sessionId === OTHER && text.includes("demo-fix-it, in"));
    expect(told).toHaveLength(1);
  });

  it("is told again when it is about other files, and not after it is gone", () => {
    const story = open();
    see(story, pair("src/users.ts"));
    agentTurn(story);
    agentTurn(story, null, OTHER);
    see(story, pair("src/users.ts", "src/login.ts"));
    expect(toldOf(story)).toHaveLength(2);
    see(story);
    expect(sessionOf(story).problems).toEqual({});
  });

  it("calls no person, however long it stays", () => {
    const story = open();
    see(story, pair("src/users.ts"));
    agentTurn(story);
    advance(story, 3 * DAY);
    expect(eventsOf(story, "problem.escalated").filter(({ id }) => id.startsWith("collision"))).toEqual([]);
  });

  it("is told to nobody without a rule", () => {
    const story = open([]);
    see(story, pair("src/users.ts"), base("package.json"));
    expect(toldOf(story)).toEqual([]);
  });
});

describe("a base that moved under a session", () => {
  it("is told to its agent with the files that both changed", () => {
    const story = open();
    submit(story, { type: "base.moved", projectId: "demo", head: "base1" });
    see(story, base("package.json"));
    expect(toldOf(story)).toHaveLength(1);
    expect(toldOf(story)[0]).toContain("main has moved, and your work conflicts with it");
    expect(toldOf(story)[0]).toContain("(git merge main)");
    expect(toldOf(story)[0]).toContain("package.json");
  });

  it("is left to the conflict of its pull request once there is one", () => {
    const story = open();
    agentTurn(story, "head1");
    see(story, base("package.json"));
    expect(toldOf(story)).toEqual([]);
  });
});
