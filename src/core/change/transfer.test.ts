import { describe, expect, it } from "vitest";
import {
  agentTurn,
  ask,
  beginSession,
  beginStory,
  changeOf,
  eventsOf,
  perform,
  restart,
  review,
  type Story,
  submit,
} from "../../../test/support/story.ts";
import { aPolicy } from "../../testing/change-builders.ts";
import type { IntentOutcome } from "../intent.ts";
import { blockersOf } from "../merge/blockers.ts";
import { nameOfChange } from "./key.ts";

const POLICY = aPolicy({ checks: {}, reruns: 0 });
const ON_GITHUB = { ...POLICY, scm: { plugin: "github", config: {} } };

/** A local pull request #1 of a project that has moved to GitHub, where `there` pull requests are already. */
function moved(there = 16): Story {
  const story = beginStory(POLICY);
  agentTurn(story, "head1");
  submit(story, { type: "project.policy", id: "demo", policy: ON_GITHUB });
  story.isRemote = true;
  story.opened = there;
  return story;
}

const publish = { type: "change.transfer", key: "demo/1", by: "ann" } as const;

function answer(story: Story, outcome: IntentOutcome): void {
  const intent = [...story.open.values()].find(({ spec }) => spec.kind === "transfer-change");
  submit(story, { type: "intent.outcome", id: intent?.id ?? "", outcome });
}

describe("a local pull request that is published", () => {
  it("is named by the forge's number where others wait for it", () => {
    const story = moved();
    ask(story, publish);
    expect(nameOfChange(story.world.view, "demo/1")).toBe("#17");
    expect(nameOfChange(story.world.view, "demo/9-2")).toBe("#9-2");
  });

  it("keeps its key and its history, and gets the number and the page of the forge", () => {
    const story = moved();
    review(story, "comment", "Why?");
    ask(story, publish);
    const change = changeOf(story);
    expect(change).toMatchObject({ key: "demo/1", number: 17, url: "https://forge.test/17" });
    expect(change.forge).toMatchObject({ published: "head1", seen: null });
    expect(change.reviews).toHaveLength(1);
    expect(change.transfer).toBeUndefined();
  });

  it("is watched on the forge from then on", () => {
    const story = moved();
    ask(story, publish);
    const check = { name: "build", ref: "run-1", state: "failed", url: null, log: null, tookMs: 1 } as const;
    const seen = {
      number: 17,
      version: "1",
      state: "open",
      by: null,
      mergeCommit: null,
      labels: [],
      reviews: [],
    } as const;
    const facts = { head: "head1", baseHead: "base0", required: [], blocked: null, checks: [check] };
    submit(story, { type: "change.seen", key: "demo/1", seen: { ...seen, ...facts } });
    expect(changeOf(story).checks["build"]).toMatchObject({ state: "failed", ref: "run-1" });
  });

  it("is not merged before, since the forge would take its number for that of another", () => {
    const story = moved();
    const blockers = () => blockersOf(story.world.view, changeOf(story));
    expect(blockers()).toContainEqual({ kind: "unpublished", isPending: false });
    review(story, "approve");
    expect(eventsOf(story, "merge.requested")).toEqual([]);
    ask(story, publish);
    expect(blockers()).not.toContainEqual(expect.objectContaining({ kind: "unpublished" }));
  });

  it("brings its labels along, which the forge would otherwise be seen to remove", () => {
    const story = moved();
    ask(story, { type: "change.label", key: "demo/1", add: ["small"], remove: [], by: "ann" });
    story.held.add("write-change");
    ask(story, publish);
    expect(changeOf(story).forge?.writes).toMatchObject([{ kind: "label", add: ["small"], remove: [] }]);
  });

  it("is asked of the forge again after a crash, and recorded once", () => {
    const story = moved();
    story.held.add("transfer-change");
    ask(story, publish);
    restart(story);
    story.held.delete("transfer-change");
    perform(story);
    expect(eventsOf(story, "change.transferred")).toHaveLength(1);
    expect(story.opened).toBe(17);
  });

  it("that the forge refuses stays here with the reason, and can be published again", () => {
    const story = moved();
    story.held.add("transfer-change");
    ask(story, publish);
    answer(story, { kind: "failed", code: "plugin-failed", message: "The forge is down.", hint: null });
    expect(changeOf(story)).toMatchObject({ number: 1, transfer: { isPending: false, reason: "The forge is down." } });
    story.held.delete("transfer-change");
    ask(story, publish);
    expect(changeOf(story).number).toBe(17);
    ask(story, publish);
    expect(eventsOf(story, "change.transferred")).toHaveLength(1);
  });

  it("needs a project with a forge", () => {
    const story = beginStory(POLICY);
    agentTurn(story, "head1");
    const [decision] = submit(story, publish);
    expect(decision).toMatchObject({
      kind: "rejected",
      rejection: { code: "conflict", hint: expect.stringContaining("ao config set projects.demo.scm github") },
    });
  });
});

describe("a pull request on a forge", () => {
  it("has a key of its own where a local one has its number", () => {
    const story = moved(0);
    beginSession(story, { title: "Add search" });
    agentTurn(story, "head2", "demo-add-search");
    expect(changeOf(story)).toMatchObject({ number: 1, branch: "agent/fix-it" });
    expect(changeOf(story).forge).toBeUndefined();
    expect(changeOf(story, "demo/1-2")).toMatchObject({ key: "demo/1-2", number: 1, branch: "agent/add-search" });
    restart(story);
    expect(changeOf(story, "demo/1-2")).toMatchObject({ key: "demo/1-2", number: 1 });
    ask(story, publish);
    expect(changeOf(story).number).toBe(2);
  });
});
