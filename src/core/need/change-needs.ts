import { openRequests } from "../change/review.ts";
import type { ChangeState } from "../change/state.ts";
import { deriveChangeStatus } from "../change/status.ts";
import { isAsked, type Problem } from "../reaction/problem.ts";
import { changeStream } from "../stream.ts";
import type { World } from "../world.ts";
import { type ActionName, actionsOn, describeTried, type Need, needOfProblem } from "./need.ts";

/** What needs a person in this pull request, including dismissed needs; empty: nothing. */
export function needsOfChange(world: World, change: ChangeState): readonly Need[] {
  if (change.phase !== "open") return [];
  const problems = Object.values(change.problems).filter(({ escalatedAt }) => escalatedAt !== null);
  const missing = missingReview(world, change);
  return [
    ...problems.map((problem) => problemNeed(change, problem)),
    ...(missing === null ? [] : [reviewNeed(change, missing)]),
  ];
}

function problemNeed(change: ChangeState, problem: Problem): Need {
  const check = /^(?:ci-failed|check-setup):(.+)$/s.exec(problem.id)?.[1] ?? null;
  const asked = isAsked(problem) ? (["pass"] as const) : [];
  const names = [...asked, ...(PROBLEM_ACTIONS[problem.key] ?? ["open"]), "dismiss" as const];
  return {
    ...needOfProblem(problem, changeStream(change.key)),
    id: `${change.key}/${problem.id}`,
    kind: problem.key,
    text: describeTried(problem),
    actions: actionsOf(change, names, check),
    question: null,
  };
}

const PROBLEM_ACTIONS: Readonly<Record<string, readonly ActionName[]>> = {
  "ci-failed": ["log", "message", "rerun"],
  "check-setup": ["log", "rerun"],
  "approved-and-green": ["merge", "review"],
  "merge-failed": ["merge", "open"],
  "merge-conflict": ["open", "message"],
  "changes-requested": ["review", "message"],
  "review-commented": ["review", "message"],
  "bot-commented": ["review", "message"],
  "untrusted-comment": ["review"],
  "push-held": ["pass", "review"],
};

function reviewNeed(change: ChangeState, text: string): Need {
  return {
    id: `${change.key}/review`,
    kind: "review",
    text,
    at: change.updatedAt,
    since: change.updatedAt,
    actions: actionsOf(change, ["review", "approve"]),
    question: null,
    problem: null,
    attempts: null,
    isDismissed: false,
    occurrence: change.head,
  };
}

// There is no agent to message about a pull request without a session.
function actionsOf(change: ChangeState, names: readonly ActionName[], check: string | null = null): Need["actions"] {
  const { sessionId, key } = change;
  const possible = sessionId === null ? names.filter((name) => name !== "message") : names;
  return actionsOn({ sessionId, pullRequest: key }, possible, check);
}

// Only a person's review is missing: the first one, or another one after the agent has made the requested changes.
function missingReview(world: World, change: ChangeState): string | null {
  const now = deriveChangeStatus(world, change);
  if (now.status === "review-pending") return now.evidence;
  const asked = openRequests(change);
  const session = change.sessionId === null ? undefined : world.session(change.sessionId);
  const isDone = session === undefined || session.activity.state === "idle" || session.phase === "stopped";
  if (now.status !== "changes-requested" || !isDone) return null;
  const isChecked = Object.values(change.checks).every(({ state }) => state !== "running" && state !== "queued");
  const [first] = asked;
  const isOpen = asked.some(({ head, requestedAgain }) => head === change.head && requestedAgain?.head !== head);
  if (first === undefined || !isChecked || isOpen) return null;
  const since = first.head === change.head ? "the agent has answered" : "there is a new commit";
  return `${first.author} requested changes; ${since} since`;
}
