/** Reactions with a name of their own, in the order of the docs; every other key is the name of an event. */
export const REACTION_KEYS = [
  "ci-failed",
  "changes-requested",
  "review-commented",
  "bot-commented",
  "merge-conflict",
  "approved-and-green",
  "label-added",
  "label-removed",
  "pr-opened",
  "pr-closed",
  "pr-merged",
  "uncommitted",
  "agent-idle",
  "agent-stuck",
  "agent-needs-input",
  "agent-exited",
  "rate-limited",
  "budget-exceeded",
  "collision",
  "main-moved",
  "main-broken",
  "all-complete",
] as const;

export type ReactionKey = (typeof REACTION_KEYS)[number];
