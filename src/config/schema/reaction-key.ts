/** Reactions that ao knows by name (docs: reactions). */
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
  "main-broken",
  "all-complete",
] as const;

export type ReactionKey = (typeof REACTION_KEYS)[number];

/** Spellings of other versions, each with the name it stands for. */
export const REACTION_ALIASES: Readonly<Record<string, ReactionKey>> = {
  "ci-failure": "ci-failed",
  "review-comments": "review-commented",
  "bugbot-comments": "bot-commented",
  "bot-comments": "bot-commented",
  "merge-conflicts": "merge-conflict",
};

/** An event type has a dot, a reaction's name has none; so a misspelled reaction is never taken for an event. */
export const EVENT_TYPE = /^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*(?:\.[a-z0-9]+(?:[-_][a-z0-9]+)*)+$/;

/** The one name of a reaction, whatever its spelling. */
export function canonicalReaction(key: string): string {
  return Object.hasOwn(REACTION_ALIASES, key) ? (REACTION_ALIASES[key] ?? key) : key;
}

/** May this key stand under `reactions`? */
export function isReactionKey(key: string): boolean {
  return (REACTION_KEYS as readonly string[]).includes(canonicalReaction(key)) || EVENT_TYPE.test(key);
}
