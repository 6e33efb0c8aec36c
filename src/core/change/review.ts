import type { ChangeState, Review, Thread } from "./state.ts";

/** People who approve exactly the current commit; approvals of earlier commits and of bots do not count. */
export function approversOf(change: ChangeState): readonly string[] {
  return [...latestByAuthor(change).values()]
    .filter((review) => review.verdict === "approve" && review.head === change.head && review.isBot !== true)
    .map((review) => review.author);
}

/** Requests for changes that have not been withdrawn, approved or resolved. */
export function openRequests(change: ChangeState): readonly Review[] {
  const latest = latestByAuthor(change);
  return change.reviews.filter((review) => {
    if (review.verdict !== "request-changes" || latest.get(review.author) !== review) return false;
    const threads = threadsOf(change, review.id);
    return threads.length === 0 || review.body !== null || threads.some((thread) => thread.resolvedBy === null);
  });
}

/** Threads of plain comments that wait for a reply. */
export function openComments(change: ChangeState): readonly Review[] {
  return change.reviews.filter(
    (review) =>
      review.verdict === "comment" && threadsOf(change, review.id).some((thread) => thread.resolvedBy === null),
  );
}

/** The id of the thread below a review's body, which starts with the first reply. */
export function bodyThreadOf(reviewId: string): string {
  return `talk-${reviewId}`;
}

/**
 * Did the agent reply last in every open thread of a review? Then it is the reviewer's turn, with or without a commit.
 */
export function isAnswered(change: ChangeState, review: Review): boolean {
  const open = threadsOf(change, review.id).filter((thread) => thread.resolvedBy === null);
  if (open.length === 0) return review.body === null;
  return open.every((thread) => thread.comments.at(-1)?.byAgent === true);
}

function groupByReview(threads: readonly Thread[]): ReadonlyMap<string, readonly Thread[]> {
  const groups = new Map<string, Thread[]>();
  for (const thread of threads) {
    const group = groups.get(thread.reviewId);
    if (group === undefined) groups.set(thread.reviewId, [thread]);
    else group.push(thread);
  }
  return groups;
}

const byReview = new WeakMap<readonly Thread[], ReadonlyMap<string, readonly Thread[]>>();

/** The threads that a review began. */
export function threadsOf({ threads }: ChangeState, reviewId: string): readonly Thread[] {
  // Asked for every review: each list is grouped once.
  const groups = byReview.get(threads) ?? groupByReview(threads);
  byReview.set(threads, groups);
  return groups.get(reviewId) ?? [];
}

// The last verdict of each person and bot; a plain comment withdraws nothing.
function latestByAuthor(change: ChangeState): ReadonlyMap<string, Review> {
  const latest = new Map<string, Review>();
  for (const review of change.reviews)
    if (review.verdict !== "comment" && review.isDismissed !== true && review.access !== "none")
      latest.set(review.author, review);
  return latest;
}
