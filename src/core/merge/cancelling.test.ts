import { describe, expect, it } from "vitest";
import {
  agentTurn,
  ask,
  beginStory,
  changeOf,
  eventsOf,
  perform,
  restart,
  review,
  type Story,
  submit,
} from "../../../test/support/story.ts";
import { aPolicy, aRule } from "../../testing/change-builders.ts";

const merge = { type: "change.merge", key: "demo/1", strategy: null, by: "ann" } as const;
const cancel = { type: "change.cancel-merge", key: "demo/1", by: "bob" } as const;
const byHand = { "approved-and-green": aRule({ auto: false, action: "notify", retries: 0 }) };

/** A merge that a person requested and that waits for a check. */
function requested(): Story {
  const story = beginStory(aPolicy({ reactions: byHand, merging: { approvals: 0 } }));
  story.check = () => null;
  agentTurn(story, "head1");
  ask(story, merge);
  return story;
}

function refusal(story: Story): string | undefined {
  const [decision] = submit(story, cancel);
  return decision?.kind === "rejected" ? decision.rejection.message : undefined;
}

describe("a canceled merge request", () => {
  it("does not happen when its check passes, even after a restart", () => {
    const story = requested();
    ask(story, cancel);
    expect(changeOf(story)).toMatchObject({ mergeRequest: null, mergeCancelled: { by: "bob", head: "head1" } });
    restart(story);
    story.check = () => "passed";
    perform(story);
    expect(changeOf(story).phase).toBe("open");
  });

  it("can be requested again", () => {
    const story = requested();
    ask(story, cancel);
    ask(story, merge);
    story.check = () => "passed";
    perform(story);
    expect(changeOf(story)).toMatchObject({ phase: "merged", merged: { by: "ann" } });
  });

  it("is not requested again by the rule for automatic merges: a person is asked, until a new commit comes", () => {
    const story = beginStory();
    agentTurn(story, "head1");
    submit(story, { type: "fleet.pause", projectId: null });
    review(story, "approve");
    submit(story, merge);
    ask(story, cancel);
    ask(story, { type: "fleet.resume", projectId: null });
    expect(changeOf(story).phase).toBe("open");
    expect(eventsOf(story, "problem.escalated").map(({ id }) => id)).toEqual(["approved-and-green"]);
    agentTurn(story, "head2");
    review(story, "approve");
    expect(changeOf(story).phase).toBe("merged");
  });

  it("cannot be canceled if none is requested, it has started, or it is over", () => {
    const story = requested();
    ask(story, cancel);
    expect(refusal(story)).toBe("No merge of #1 is requested.");
    ask(story, merge);
    story.check = () => "passed";
    story.held.add("merge-change");
    perform(story);
    expect(refusal(story)).toBe("#1 is being merged right now: too late to cancel.");
    story.held.delete("merge-change");
    perform(story);
    expect(refusal(story)).toBe("Pull request #1 is merged.");
  });

  it("may be canceled again after it had to wait", () => {
    const story = requested();
    story.merging = () => ({ kind: "merge-waits", reason: "a.ts is edited in your checkout", files: ["a.ts"] });
    story.check = () => "passed";
    perform(story);
    expect(changeOf(story).mergeRequest).toMatchObject({ holds: 1, isUnderWay: false });
    ask(story, cancel);
    expect(changeOf(story).mergeRequest).toBeNull();
  });
});
