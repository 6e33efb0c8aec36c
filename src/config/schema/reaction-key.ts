import { EVENT_FIELDS } from "../../core/reaction/event-keys.ts";
import { REACTION_KEYS, type ReactionKey } from "../../core/reaction/reaction-keys.ts";

/** Spellings of other versions, each with its current name. */
export const REACTION_ALIASES: Readonly<Record<string, ReactionKey>> = {
  "ci-failure": "ci-failed",
  "review-comments": "review-commented",
  "bugbot-comments": "bot-commented",
  "bot-comments": "bot-commented",
  "merge-conflicts": "merge-conflict",
};

/** The canonical name of a reaction. */
export function canonicalReaction(key: string): string {
  // People know an event by the name that `ao events` prints.
  if (key.startsWith("pull-request.")) return key.replace("pull-request.", "change.");
  return Object.hasOwn(REACTION_ALIASES, key) ? (REACTION_ALIASES[key] ?? key) : key;
}

/** Is this key allowed under `reactions`? */
export function isReactionKey(key: string): boolean {
  const name = canonicalReaction(key);
  return (REACTION_KEYS as readonly string[]).includes(name) || Object.hasOwn(EVENT_FIELDS, name);
}

/** The event types allowed under `reactions`, as `ao events` prints them. */
export const EVENT_NAMES: readonly string[] = Object.keys(EVENT_FIELDS).map((type) =>
  type.replace(/^change\./, "pull-request."),
);
