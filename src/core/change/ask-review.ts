import { type Emitted, onChange } from "../event.ts";
import type { Blocker } from "../merge/blockers.ts";
import { findBlockers } from "../merge/blockers.ts";
import type { ProjectPolicy } from "../policy.ts";
import type { Problem } from "../reaction/problem.ts";
import { ownerOfChange } from "../reaction/problem-owner.ts";
import { ruleFor } from "../reaction/rule-for.ts";
import { isAgentIdle } from "../reaction/settle-problems.ts";
import type { SessionState } from "../session/state.ts";
import type { World } from "../world.ts";
import { writesOf } from "./forge-writes.ts";
import { isAnswered, openRequests } from "./review.ts";
import { countReplies, isReviewAwaited } from "./review-problems.ts";
import type { ChangeState, Review } from "./state.ts";
import { isTrusted } from "./trust.ts";

/** A review is not requested for a change that is red, conflicts, or may be either. */
const NOT_READY: readonly Blocker["kind"][] = [
  "check",
  "merge-untried",
  "conflict",
  "mergeability-unknown",
  "unreported",
  "paused",
];

/** Asks whoever requested changes for another review, once the agent has committed or answered in every thread. */
export function askForReview(
  world: World,
  change: ChangeState,
  { policy, baseHead }: { readonly policy: ProjectPolicy; readonly baseHead: string | null },
): readonly Emitted[] {
  const owner = ownerOfChange(world, change);
  const { session } = owner;
  if (session === undefined || owner.paused) return [];
  const { trust } = policy;
  const addressed = openRequests(change).filter((review) => {
    if (!isTrusted(review, trust) || isReviewAwaited(change, review, trust)) return false;
    if (review.head === change.head && !isAnswered(change, review)) return false;
    const problem = change.problems[`changes-requested:${review.id}`];
    if (problem === undefined) return false;
    return isHandedOver(problem, policy) ? isAgentIdle(owner, problem) : isIdle(session);
  });
  if (addressed.length === 0) return [];
  if (findBlockers(change, policy, baseHead).some(({ kind }) => NOT_READY.includes(kind))) return [];
  const { head, key } = change;
  const events = addressed.flatMap((review) => {
    const { id, author: reviewer } = review;
    const replies = countReplies(change, review, trust);
    return onChange(key, { type: "review.requested", id, reviewer, head, replies });
  });
  return [...events, ...writesOf(change, events), ...addressed.flatMap((review) => notify(change, review))];
}

// If no rule sends it to the agent, a person has to.
function isHandedOver({ key, last }: Problem, policy: ProjectPolicy): boolean {
  const { auto, action } = ruleFor(policy, key);
  return last !== null || (auto && action === "send-to-agent");
}

function isIdle({ turn, turns, question, branchSeen, activity }: SessionState): boolean {
  return turn === null && question === null && activity.state !== "working" && branchSeen?.turn === turns;
}

// The forge notifies those who reviewed there.
function notify({ key, number, title, projectId, sessionId, head }: ChangeState, review: Review): readonly Emitted[] {
  if (review.access !== undefined) return [];
  const done = review.head === head ? "answered without a new commit" : "addressed by a new commit";
  return [
    {
      stream: "fleet",
      event: {
        type: "notice.raised",
        id: `change:${key}/review-again/${review.id}/${review.requestedAgain?.replies ?? "first"}`,
        priority: "action",
        key: "changes-requested",
        title: `#${number}: ready for another review`,
        text: `${title}: the changes that ${review.author} requested are ${done}`,
        projectId,
        sessionId,
        act: `ao review ${sessionId ?? key}`,
      },
    },
  ];
}
