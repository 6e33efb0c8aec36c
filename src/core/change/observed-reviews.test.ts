import { describe, expect, it } from "vitest";
import { agentTurn, beginStory, changeOf, eventsOf, perform, type Story, submit } from "../../../test/support/story.ts";
import { commentBy, seeReviews } from "../../../test/support/stranger.ts";
import { aPolicy } from "../../testing/change-builders.ts";
import { MAX_REVIEWS } from "./limits.ts";
import type { ReportedReview } from "./observation.ts";

function onForge(): Story {
  const story = beginStory(aPolicy({ checks: {}, reruns: 0 }));
  story.isRemote = true;
  agentTurn(story, "head1");
  return story;
}

function withReplies(count: number): ReportedReview {
  const review = commentBy("ann", "write");
  const [thread] = review.threads;
  if (thread === undefined) throw new Error("it has a thread");
  const [first] = thread.comments;
  const replies = Array.from({ length: count }, (_, at) => ({ ...first, id: `reply-${at}` }));
  return { ...review, threads: [{ ...thread, comments: [...thread.comments, ...replies] as typeof thread.comments }] };
}

describe("a discussion on the forge that is longer than what is recorded", () => {
  it("blocks the merge, and its replies are recorded once", () => {
    const story = onForge();
    seeReviews(story, withReplies(600));
    seeReviews(story, withReplies(600));
    expect(eventsOf(story, "thread.replied")).toHaveLength(500);
    expect(changeOf(story).forge?.seen?.blocked).toContain("more than 500 replies in a thread");
  });

  it("blocks the merge if there are too many reviews, but not just as many as fit", () => {
    const reviews = Array.from({ length: MAX_REVIEWS + 1 }, (_, at) => {
      return { ...commentBy(`a${at}`, "write"), verdict: "approve", head: "head0", threads: [] } as const;
    });
    const story = onForge();
    seeReviews(story, ...reviews.slice(1));
    expect(changeOf(story).forge?.seen?.blocked).toBeNull();
    seeReviews(story, ...reviews);
    expect(changeOf(story).forge?.seen?.blocked).toContain("more than 500 reviews");
  });
});

describe("a forge that was read before ao's last push", () => {
  it("does not make its earlier commit somebody else's", () => {
    const story = onForge();
    agentTurn(story, "head2");
    const seen = { number: 1, version: "2", state: "open", by: null, mergeCommit: null, baseHead: "base0" } as const;
    const rest = { checks: [], reviews: [], labels: [], required: [], blocked: null };
    submit(story, {
      type: "change.seen",
      key: "demo/1",
      seen: { ...seen, ...rest, head: "head1", publishedBefore: "head1" },
    });
    perform(story);
    expect(changeOf(story).problems).toEqual({});
  });
});
