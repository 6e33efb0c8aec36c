import { FLEET_GROUPS, type FleetGroup, groupOf, sortSessions } from "../../../../src/protocol/fleet-order.ts";
import { compareNeeds } from "../../../../src/protocol/need-order.ts";
import type { SessionView } from "../../../../src/protocol/views/session.ts";
import { stateOf } from "../../lib/state-of.ts";

export const GROUPINGS = ["need", "project", "agent"] as const;
export type Grouping = (typeof GROUPINGS)[number];

export interface SessionGroup {
  readonly key: string;
  readonly title: string;
  readonly sessions: readonly SessionView[];
  /** Replaces the group when it is collapsed. */
  readonly summary: string;
}

const TITLES: Readonly<Record<FleetGroup, string>> = {
  "needs-you": "Needs you",
  "in-review": "In review",
  working: "Working",
  queued: "Queued",
  done: "Merged today",
};

/** Sessions in the fleet's groups, without ended ones; what needs a person is always the first group. */
export function groupSessions(
  sessions: readonly SessionView[],
  by: Grouping,
  now: number = Date.now(),
): readonly SessionGroup[] {
  const byNeed = new Map(partition(sortSessions(sessions), (session) => groupOf(session)));
  byNeed.set("needs-you", sortNeeds(byNeed.get("needs-you") ?? [], now));
  const shown = FLEET_GROUPS.filter((group) => group !== "done");
  if (by === "need") {
    return shown.flatMap((group) => toGroup(group, TITLES[group], byNeed.get(group) ?? []));
  }
  const needs = toGroup("needs-you", TITLES["needs-you"], byNeed.get("needs-you") ?? []);
  const rest = shown.filter((group) => group !== "needs-you").flatMap((group) => byNeed.get(group) ?? []);
  const names = partition(rest, (session) => (by === "project" ? session.projectId : session.agent));
  const groups = [...names].sort(([a], [b]) => a.localeCompare(b));
  return [...needs, ...groups.flatMap(([name, members]) => toGroup(`${by}:${name}`, name, members))];
}

/** The inbox order: what blocks others first, then by the cost of waiting. */
function sortNeeds(sessions: readonly SessionView[], now: number): readonly SessionView[] {
  const ranked = sessions.flatMap((session) => {
    const { attention, blocks } = session;
    return attention === null ? [] : [{ session, need: { rank: attention.rank, at: attention.at, blocks } }];
  });
  return ranked.sort((a, b) => compareNeeds(a.need, b.need, now)).map(({ session }) => session);
}

function toGroup(key: string, title: string, sessions: readonly SessionView[]): readonly SessionGroup[] {
  return sessions.length === 0 ? [] : [{ key, title, sessions, summary: summarize(key, title, sessions) }];
}

/** Labels after a number. */
const COUNTED: Readonly<Record<string, string>> = { "checks running": "running checks" };

function summarize(key: string, title: string, sessions: readonly SessionView[]): string {
  if (key === "needs-you") return "most costly wait first";
  if (key === "queued") return "in start order";
  const labels = sessions.map((session) => stateOf(session).label.toLowerCase());
  const counts = new Map<string, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  // The total is shown before the summary.
  const words = (label: string): string => COUNTED[label] ?? label;
  if (counts.size === 1) return labels[0] === title.toLowerCase() ? "" : words(labels[0] ?? "");
  return [...counts].map(([label, count]) => `${count} ${words(label)}`).join(", ");
}

/** Sessions that match every word of a filter: in id, title, agent, branch, state or `#number`; `is:` names a kind. */
export function filterSessions(sessions: readonly SessionView[], filter: string): readonly SessionView[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return sessions;
  return sessions.filter((session) => {
    const text = searchText(session);
    return words.every((word) => (word.startsWith("is:") ? isKind(session, word.slice(3)) : text.includes(word)));
  });
}

/** The vitals count these whatever else is true of a session, so their filters show just what they counted. */
export function isKind(session: SessionView, kind: string): boolean {
  if (kind === "in-review") return session.pullRequests.some(({ phase }) => phase === "open");
  if (kind === "working") return session.state === "working";
  return groupOf(session) === kind;
}

function searchText(session: SessionView): string {
  const { id, title, agent, branch, evidence, pullRequests } = session;
  const numbers = pullRequests.map(({ number }) => `#${number}`);
  return [id, title, agent, branch, evidence, stateOf(session).label, ...numbers].join(" ").toLowerCase();
}

function partition<Key>(
  sessions: readonly SessionView[],
  keyOf: (session: SessionView) => Key,
): ReadonlyMap<Key, readonly SessionView[]> {
  const parts = new Map<Key, SessionView[]>();
  for (const session of sessions) {
    const key = keyOf(session);
    const part = parts.get(key);
    if (part === undefined) parts.set(key, [session]);
    else part.push(session);
  }
  return parts;
}
