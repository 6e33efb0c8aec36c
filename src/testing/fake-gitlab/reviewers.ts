import type { MergeRequest, ReviewerState, User } from "./model.ts";
import type { World } from "./world.ts";

interface Reviewer {
  readonly request: MergeRequest;
  readonly by: User;
}

/** What a person said last of a merge request; whoever says something becomes its reviewer. */
export function setReviewer(world: World, { request, by }: Reviewer, state: ReviewerState): void {
  const known = request.reviewers.find(({ user }) => user === by);
  if (known === undefined) request.reviewers.push({ user: by, state, createdAt: world.now() });
  else known.state = state;
}

/** A reviewer is asked to look again, which resets what they said last. */
export function askAgain(world: World, reviewer: Reviewer): void {
  setReviewer(world, reviewer, "unreviewed");
  reviewer.request.updatedAt = world.now();
}
