import { describe, expect, it } from "vitest";
import { agentTurn, ask, beginSession, beginStory, eventsOf, review, type Story } from "../../../test/support/story.ts";
import { aPolicy, aRule } from "../../testing/change-builders.ts";

function aStory(): Story {
  const reactions = { "all-complete": aRule({ action: "notify", retries: 0, priority: "info" }) };
  return beginStory(aPolicy({ reactions, merging: { approvals: 0 } }));
}

function completions(story: Story): readonly number[] {
  return eventsOf(story, "project.completed").map(({ merged }) => merged);
}

describe("a project", () => {
  it("is complete once, when its last session is over and something was merged", () => {
    const story = aStory();
    beginSession(story, { title: "Other" });
    agentTurn(story, "head1");
    expect(completions(story)).toEqual([]);
    agentTurn(story, "head2", "demo-other");
    expect(completions(story)).toEqual([2]);
    expect(eventsOf(story, "notice.raised").map(({ key }) => key)).toEqual(["all-complete"]);
    ask(story, { type: "fleet.limit", limit: 3 });
    expect(completions(story)).toEqual([2]);
  });

  it("is not complete if nothing was merged", () => {
    const story = aStory();
    ask(story, { type: "session.stop", sessionId: "demo-fix-it", reason: "asked for" });
    expect(completions(story)).toEqual([]);
  });

  it("is not complete while a pull request of a stopped session is open", () => {
    const story = beginStory(aPolicy());
    agentTurn(story, "head1");
    ask(story, { type: "session.stop", sessionId: "demo-fix-it", reason: "asked for" });
    beginSession(story, { title: "Other" });
    ask(story, { type: "session.stop", sessionId: "demo-other", reason: "asked for" });
    expect(completions(story)).toEqual([]);
    review(story, "approve");
    expect(completions(story)).toEqual([1]);
  });

  it("is complete again after more work", () => {
    const story = aStory();
    agentTurn(story, "head1");
    story.now += 1000;
    beginSession(story, { title: "Other" });
    agentTurn(story, "head2", "demo-other");
    expect(completions(story)).toEqual([1, 1]);
    expect(new Set(eventsOf(story, "notice.raised").map(({ id }) => id)).size).toBe(2);
  });

  it("notifies nobody if its rule is not automatic", () => {
    const reactions = { "all-complete": aRule({ auto: false, action: "notify", retries: 0 }) };
    const story = beginStory(aPolicy({ reactions, merging: { approvals: 0 } }));
    agentTurn(story, "head1");
    expect(completions(story)).toEqual([1]);
    expect(eventsOf(story, "notice.raised")).toEqual([]);
  });
});
