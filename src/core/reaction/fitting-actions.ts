import { REACTION_ACTIONS, type ReactionAction } from "../policy.ts";
import { eventOfKey, isOnChange } from "./event-keys.ts";

const ABOUT_PULL_REQUEST: readonly string[] = [
  "ci-failed",
  "changes-requested",
  "review-commented",
  "bot-commented",
  "merge-conflict",
  "approved-and-green",
  "label-added",
];
const ABOUT_PROJECT: readonly string[] = ["main-broken", "all-complete"];

/** Actions on a pull request; those that need it open come last. */
const ON_PULL_REQUEST: readonly ReactionAction[] = ["comment", "label", "rerun-ci", "spawn-reviewer"];
const ON_OPEN: readonly ReactionAction[] = ["rerun-ci", "spawn-reviewer"];

/** Why a rule for this key cannot have this action, in a sentence; null: it can. */
export function findActionFault(key: string, action: ReactionAction): string | null {
  if (action === "notify") return null;
  if (ABOUT_PROJECT.includes(key)) return "it is about a project, so it can only notify";
  if (action === "merge") {
    return key === "approved-and-green" ? null : "only approved-and-green can merge; its condition can ask for a label";
  }
  if (!ON_PULL_REQUEST.includes(action)) return null;
  if (!isAboutPullRequest(key)) return "it is about a session, and this action needs a pull request";
  if (key === "pr-opened" && action === "rerun-ci") return "this action needs checks that have run";
  const isOver = key === "pr-closed" || key === "pr-merged";
  return isOver && ON_OPEN.includes(action) ? "this action needs an open pull request" : null;
}

/** The actions that a rule for this key may have. */
export function actionsFor(key: string): readonly ReactionAction[] {
  return REACTION_ACTIONS.filter((action) => findActionFault(key, action) === null);
}

function isAboutPullRequest(key: string): boolean {
  const type = eventOfKey(key);
  return type === null ? ABOUT_PULL_REQUEST.includes(key) : isOnChange(type);
}
