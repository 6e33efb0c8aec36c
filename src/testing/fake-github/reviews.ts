import type { Account, Pull, Repository, Review, ReviewState, Thread, ThreadComment } from "./model.ts";
import { presentSimplePull } from "./present/pull.ts";
import { presentRepository } from "./present/repository.ts";
import { presentReview } from "./present/review.ts";
import type { World } from "./world.ts";

export interface NewThread {
  readonly path: string;
  readonly line: number;
  readonly body: string;
}

export interface NewReview {
  readonly author: Account;
  readonly state: ReviewState;
  readonly body: string;
  readonly comments?: readonly NewThread[];
}

/** A review of the current head, with a thread per comment. */
export function addReview(world: World, pull: Pull, fields: NewReview): Review {
  const { author, state, body, comments = [] } = fields;
  const review = { id: world.nextId(), author, state, body, commit: pull.head, submittedAt: world.now() };
  pull.reviews.push(review);
  for (const { path, line, body: text } of comments) {
    const thread: Thread = { id: world.nextId(), path, line, commit: pull.head, comments: [], resolvedBy: null };
    addThreadComment(world, thread, { author, body: text, reviewId: review.id });
    pull.threads.push(thread);
  }
  pull.reviewers = pull.reviewers.filter((one) => one !== author);
  pull.updatedAt = world.now();
  return review;
}

/** Adds a comment to a thread. */
export function addThreadComment(
  world: World,
  thread: Thread,
  fields: { readonly author: Account; readonly body: string; readonly reviewId?: number },
): ThreadComment {
  const now = world.now();
  const { author, body, reviewId = null } = fields;
  const comment = { id: world.nextId(), author, body, reviewId, createdAt: now, updatedAt: now };
  thread.comments.push(comment);
  return comment;
}

/** Sends webhooks about a review. */
export async function reviewEvent(
  world: World,
  repository: Repository,
  { pull, review }: { readonly pull: Pull; readonly review: Review },
): Promise<void> {
  if (repository.hooks.length === 0 || review.state === "PENDING") return;
  const shown = presentReview(world, repository, { pull, review });
  world.webhooks.emit(repository, "pull_request_review", {
    action: "submitted",
    review: { ...shown, state: shown.state.toLowerCase() },
    pull_request: presentSimplePull(world, repository, pull),
    repository: presentRepository(world, repository),
    sender: shown.user,
  });
}
