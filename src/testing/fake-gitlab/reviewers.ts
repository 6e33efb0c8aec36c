import type { MergeRequest, ReviewerState, User } from "./model.ts";
import type { World } from "./world.ts";

interface Reviewer {
  readonly request: MergeRequest;
  readonly by: User;
}

/** A person's last verdict on a merge request; whoever gives one becomes its reviewer. */
export function setReviewer(world: World, { request, by }: Reviewer, state: ReviewerState): void {
  const known = request.reviewers.find(({ user }) => user === by);
  if (known === undefined) request.reviewers.push({ user: by, state, createdAt: world.now() });
  else known.state = state;
}

/** Asks a reviewer for another review, which resets their last verdict. */
export function askAgain(world: World, reviewer: Reviewer): void {
  setReviewer(world, reviewer, "unreviewed");
  reviewer.request.updatedAt = world.now();
}
