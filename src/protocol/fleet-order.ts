import type { SessionView } from "./views/session.ts";

/** How lists group sessions; in this order. */
export const FLEET_GROUPS = ["needs-you", "in-review", "working", "queued", "done"] as const;
export type FleetGroup = (typeof FLEET_GROUPS)[number];

type Listed = Pick<SessionView, "id" | "status" | "attention" | "createdAt">;

const REVIEW_STATUSES: ReadonlySet<string> = new Set([
  "checks-running",
  "ci-failed",
  "check-setup-failed",
  "changes-requested",
  "conflict",
  "review-pending",
  "blocked",
  "mergeable",
  "merging",
  "merge-waits",
]);

/** The group of a session: whatever needs a person comes first. */
export function groupOf({ status, attention }: Pick<Listed, "status" | "attention">): FleetGroup {
  if (attention !== null) return "needs-you";
  if (REVIEW_STATUSES.has(status)) return "in-review";
  if (status === "queued") return "queued";
  return status === "stopped" || status === "merged" || status === "closed" ? "done" : "working";
}

/** The order of every list, and so of the row numbers: by group, then by urgency, then oldest first. */
export function sortSessions<S extends Listed>(sessions: readonly S[]): readonly S[] {
  const keyed = sessions.map((session) => ({ session, key: orderKey(session) }));
  return keyed.sort((a, b) => compareKeys(a.key, b.key)).map(({ session }) => session);
}

export interface FleetCount {
  readonly total: number;
  readonly needYou: number;
  readonly inReview: number;
  readonly working: number;
  readonly idle: number;
  readonly queued: number;
}

/** How many sessions there are of each kind; idle ones are not working, and ended ones count only in the total. */
export function countSessions(sessions: readonly Listed[]): FleetCount {
  const groups = sessions.map(groupOf);
  const count = (group: FleetGroup): number => groups.filter((one) => one === group).length;
  const idle = sessions.filter(({ status }, index) => groups[index] === "working" && isResting(status)).length;
  return {
    total: sessions.length,
    needYou: count("needs-you"),
    inReview: count("in-review"),
    working: count("working") - idle,
    idle,
    queued: count("queued"),
  };
}

type Key = readonly [group: number, rank: number, at: string, id: string];

function orderKey(session: Listed): Key {
  const group = groupOf(session);
  const rank = session.attention?.rank ?? (isResting(session.status) ? 1 : 0);
  return [FLEET_GROUPS.indexOf(group), rank, session.createdAt, session.id];
}

function isResting(status: string): boolean {
  return status === "idle" || status === "exited" || status === "paused";
}

function compareKeys(a: Key, b: Key): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : (a[at] ?? "") < (b[at] ?? "") ? -1 : 1;
}
