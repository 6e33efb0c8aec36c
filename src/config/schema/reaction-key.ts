import { EVENT_FIELDS } from "../../core/reaction/event-keys.ts";

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

/** The one name of a reaction, whatever its spelling. */
export function canonicalReaction(key: string): string {
  // People know an event by the name that `ao events` prints.
  if (key.startsWith("pull-request.")) return key.replace("pull-request.", "change.");
  return Object.hasOwn(REACTION_ALIASES, key) ? (REACTION_ALIASES[key] ?? key) : key;
}

/** May this key stand under `reactions`? */
export function isReactionKey(key: string): boolean {
  const name = canonicalReaction(key);
  return (REACTION_KEYS as readonly string[]).includes(name) || Object.hasOwn(EVENT_FIELDS, name);
}

/** The types of events that may stand under `reactions`, as `ao events` prints them. */
export const EVENT_NAMES: readonly string[] = Object.keys(EVENT_FIELDS).map((type) =>
  type.replace(/^change\./, "pull-request."),
);
