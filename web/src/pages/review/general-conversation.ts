import type { PullRequestDetailView, ThreadView } from "../../../../src/protocol/views/pull-request.ts";

export interface Conversation {
  readonly thread: ThreadView;
  /** What a review said as a whole has a thread in the log only from its first reply on; until then there is nothing to resolve. */
  readonly canResolve: boolean;
}

type Facts = Pick<PullRequestDetailView, "reviews" | "threads">;

/** What was said about the pull request as a whole, oldest first. */
export function generalConversations({ reviews, threads }: Facts): readonly Conversation[] {
  const begun = threads.filter(({ path }) => path === null).map((thread) => ({ thread, canResolve: true }));
  const said = reviews.flatMap((review): readonly Conversation[] => {
    const id = `talk-${review.id}`;
    if (review.body === null || threads.some((thread) => thread.id === id)) return [];
    const { author, body: text, at } = review;
    const comments = [{ id: `${id}.1`, author, byAgent: false, text, at }];
    return [
      { thread: { id, reviewId: review.id, path: null, line: null, resolvedBy: null, comments }, canResolve: false },
    ];
  });
  const startOf = ({ thread }: Conversation): string => thread.comments[0]?.at ?? "";
  return [...begun, ...said].sort((a, b) => startOf(a).localeCompare(startOf(b)));
}
