import type { SessionState } from "./session/state.ts";
import { countPending, deriveStatus } from "./session/status.ts";
import type { World } from "./world.ts";

/**
 * Does this session count against the limits of parallel agents? Work counts, presence does not: an agent that is idle,
 * waits for a person, or cannot continue leaves its slot to others. A message wakes it at once, slot or not; only new
 * sessions queue.
 */
export function holdsSlot(session: SessionState): boolean {
  const known = judged.get(session);
  if (known !== undefined) return known;
  const holds = judgeSlot(session);
  judged.set(session, holds);
  return holds;
}

// Every queued session asks this about all others, and states are replaced, never changed.
const judged = new WeakMap<SessionState, boolean>();

function judgeSlot(session: SessionState): boolean {
  if (session.phase === "stopping") return true;
  if (session.phase !== "open") return false;
  const { status, state } = deriveStatus(session, { paused: false });
  // A turn that a vendor holds up continues by itself.
  if (state === "working" || status === "rate-limited" || status === "unavailable") return true;
  return status === "idle" && countPending(session) > 0;
}

const MAX_NAMED = 3;

/** The sessions that count against the limits now. */
export function listBusy(world: World): readonly SessionState[] {
  return [...world.activeSessions()].filter(holdsSlot);
}

/** Why a queued session does not start, and how to start it anyway; `busy` saves a list from counting for each row. */
export function describeQueue(world: World, session: SessionState, busy = listBusy(world)): string {
  const { limit } = world.fleet();
  const now = `; \`ao restore ${session.id} --now\` starts it anyway`;
  if (busy.length >= limit) return `${busy.length} of ${limit} agents busy: ${namesOf(busy)}${now}`;
  const ofProject = busy.filter(({ projectId }) => projectId === session.projectId);
  const own = world.project(session.projectId)?.limit ?? Number.POSITIVE_INFINITY;
  if (ofProject.length < own) return "slot free, starting";
  return `${ofProject.length} of ${own} agents of ${session.projectId} busy: ${namesOf(ofProject)}${now}`;
}

function namesOf(sessions: readonly SessionState[]): string {
  const names = sessions.slice(0, MAX_NAMED).map(({ id }) => id);
  const more = sessions.length - names.length;
  return more > 0 ? `${names.join(", ")} and ${more} more` : names.join(", ");
}
