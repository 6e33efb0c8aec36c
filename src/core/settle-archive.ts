import type { Emitted } from "./event.ts";
import type { SessionState } from "./session/state.ts";
import { changeStream, sessionStream, splitStream } from "./stream.ts";
import type { World } from "./world.ts";
import { isActiveChange } from "./world-index.ts";

/**
 * How long a finished session stays in the live model. A day: what a session used today then counts without the
 * archive, and restoring one soon after its end is cheap.
 */
export const ARCHIVE_AFTER_MS = 24 * 3600 * 1000;

/** More than these are left to the next commit, so that the first start after an upgrade answers soon. */
export const MAX_ARCHIVED_AT_ONCE = 200;

/** Finished sessions leave the live model together with their changes, a limited number per commit. */
export function settleArchive(world: World, now: number): readonly Emitted[] {
  const events: Emitted[] = [];
  let count = 0;
  for (const session of world.endedSessions()) {
    const due = archiveTime(world, session);
    if (due === null || due > now) continue;
    if (count === MAX_ARCHIVED_AT_ONCE) break;
    count += 1;
    events.push({ stream: sessionStream(session.id), event: { type: "session.archived" } });
    for (const { key } of world.changesOf(session.id)) {
      events.push({ stream: changeStream(key), event: { type: "change.archived" } });
    }
  }
  return events;
}

/** When a session is archived if nothing more happens to it; null: something is left to do. */
export function archiveTime(world: World, session: SessionState): number | null {
  if (session.phase !== "stopped" || session.archivedAt !== undefined || session.workspace.state === "kept")
    return null;
  if (Object.keys(session.problems).length > 0) return null;
  if (world.fleet().notices.waiting.some(({ sessionId }) => sessionId === session.id)) return null;
  let last = session.updatedAt;
  for (const change of world.changesOf(session.id)) {
    if (isActiveChange(change)) return null;
    last = Math.max(last, change.updatedAt);
  }
  return last + ARCHIVE_AFTER_MS;
}

/** An event of an archived session or change first restores it, the session and all of its changes. */
export function bringBack(world: World, events: readonly Emitted[]): readonly Emitted[] {
  const sessions = new Set<string>();
  for (const { stream } of events) {
    const { kind, id } = splitStream(stream);
    const state = kind === "session" ? world.session(id) : kind === "change" ? world.change(id) : undefined;
    if (state?.archivedAt === undefined) continue;
    const sessionId = "sessionId" in state ? state.sessionId : state.id;
    if (sessionId !== null) sessions.add(sessionId);
  }
  const back = [...sessions].flatMap((id): readonly Emitted[] => [
    { stream: sessionStream(id), event: { type: "session.unarchived" } },
    ...[...world.changesOf(id)].map(
      ({ key }): Emitted => ({ stream: changeStream(key), event: { type: "change.unarchived" } }),
    ),
  ]);
  return back.length === 0 ? events : [...back, ...events];
}
