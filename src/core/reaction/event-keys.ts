import type { EventOf, EventType } from "../event.ts";

type Fields = { readonly [T in EventType]?: readonly (keyof EventOf<T> & string)[] };

/**
 * Events that a rule may be about, with the fields for its condition and message. What `ao` does because of a rule is
 * excluded: a rule about it would trigger itself.
 */
export const EVENT_FIELDS = {
  "session.requested": ["title", "branch", "role"],
  "session.admitted": [],
  "session.stop-requested": ["reason"],
  "session.stopped": [],
  "session.restore-requested": [],
  "session.moved": [],
  "workspace.created": ["path", "branch", "head"],
  "workspace.failed": ["reason"],
  "workspace.vanished": ["what", "evidence"],
  "workspace.branch-left": ["on"],
  "workspace.removed": [],
  "workspace.kept": ["reason"],
  "run.started": ["run"],
  "run.hibernating": ["run"],
  "run.end-failed": ["run", "reason"],
  "run.ended": ["run", "code", "evidence"],
  "agent.asked": [],
  "agent.answered": ["choice"],
  "agent.finished": ["summary"],
  "agent.limited": ["reason"],
  "agent.errored": ["reason"],
  "branch.seen": ["head", "ahead"],
  "change.open-failed": ["head", "reason"],
  "change.opened": ["by"],
  "change.reopened": ["by"],
  "change.transfer-failed": ["reason"],
  "change.transferred": ["head"],
  "change.updated": ["head"],
  "change.published": ["head"],
  "change.publish-failed": ["head", "reason"],
  "change.diverged": ["head"],
  "change.closed": ["by", "reason"],
  "change.merged": ["commit", "head", "by"],
  "check.started": ["name", "head", "attempt"],
  "check.finished": ["name", "head", "attempt", "state"],
  "check.rerun-requested": ["name", "attempt", "by"],
  "check.attributed": ["name", "head", "attempt", "cause"],
  "review.given": ["author", "verdict", "head"],
  "review.dismissed": [],
  "thread.replied": ["author"],
  "thread.resolved": ["by"],
  "thread.reopened": ["by"],
  "label.added": ["label", "by"],
  "label.removed": ["label", "by"],
  "merge.requested": ["by", "strategy", "head"],
  "merge.held": ["reason"],
  "merge.released": [],
  "merge.refused": ["reason"],
  "merge.cancelled": ["by"],
  "branch.settled": ["reason"],
  "issue.settled": ["reason"],
} as const satisfies Fields;

export type NamedEvent = keyof typeof EVENT_FIELDS;

/** Keys that mean an event, with its type. */
const EVENT_OF_KEY: Readonly<Record<string, NamedEvent>> = {
  "label-removed": "label.removed",
  "pr-opened": "change.opened",
  "pr-closed": "change.closed",
  "pr-merged": "change.merged",
};

const KEY_OF_EVENT = new Map(Object.entries(EVENT_OF_KEY).map(([key, type]) => [type as string, key]));

/** The event that a key is about; null: it is about a state. */
export function eventOfKey(key: string): NamedEvent | null {
  if (Object.hasOwn(EVENT_OF_KEY, key)) return EVENT_OF_KEY[key] ?? null;
  return Object.hasOwn(EVENT_FIELDS, key) ? (key as NamedEvent) : null;
}

/** The keys of rules about this event: its own type, and a name if it has one. */
export function keysOfEvent(type: EventType): readonly string[] {
  if (!Object.hasOwn(EVENT_FIELDS, type)) return [];
  const name = KEY_OF_EVENT.get(type);
  return name === undefined ? [type] : [name, type];
}

/** The fields of the event that a key is about; empty: none. */
export function fieldsOfKey(key: string): readonly string[] {
  const type = eventOfKey(key);
  return type === null ? [] : EVENT_FIELDS[type];
}

/** Is this key about a pull request rather than a session? */
export function isOnChange(type: NamedEvent): boolean {
  return !/^(session|workspace|run|agent)\.|^branch\.seen$|^change\.open-failed$/.test(type);
}
