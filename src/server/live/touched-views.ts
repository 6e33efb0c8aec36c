import { isInternal } from "../../core/event-catalog.ts";
import { splitStream } from "../../core/stream.ts";
import type { World } from "../../core/world.ts";
import type { StoredEvent } from "../../ports/store.ts";

/** A view that clients keep: a session, a pull request, a project, the whole inbox, or the fleet. */
export type ViewKey = `session:${string}` | `pull-request:${string}` | `project:${string}` | "inbox" | "fleet";

/**
 * Events that change how other sessions and pull requests look: they may or may not act now, or need a person again.
 */
const AFFECTS_OTHERS = new Set<string>([
  "project.paused",
  "project.resumed",
  "project.removed",
  "project.policy-set",
  "project.base-moved",
  "train.formed",
  "train.built",
  "train.ended",
  "train.paused",
  "train.resumed",
  "commit.check-finished",
  "fleet.paused",
  "fleet.resumed",
  "fleet.limited",
  "fleet.prices-set",
  "inbox.snoozed",
  "inbox.returned",
]);

/** The views that these events may have changed. Some turn out to be unchanged; none is missing. */
export function viewsTouchedBy(events: readonly StoredEvent[], world: World): ReadonlySet<ViewKey> {
  const touched = new Set<ViewKey>();
  for (const stored of events) addTouched(touched, stored, world);
  return touched;
}

function addTouched(touched: Set<ViewKey>, { stream, event }: StoredEvent, world: World): void {
  const { kind, id } = splitStream(stream);
  if (kind === "session") addSession(touched, id, world);
  if (kind === "change") addChange(touched, id, world);
  if (kind === "project") touched.add(`project:${id}`);
  if (kind === "project" || kind === "fleet" || event.type === "agent.used") touched.add("fleet");
  if (AFFECTS_OTHERS.has(event.type)) addDependents(touched, kind === "project" ? id : undefined, world);
  if (!isInternal(event)) touched.add("inbox");
}

function addSession(touched: Set<ViewKey>, id: string, world: World): void {
  if (touched.has(`session:${id}`)) return;
  touched.add(`session:${id}`);
  const session = world.session(id);
  if (session === undefined) return;
  touched.add(`project:${session.projectId}`);
  for (const { key } of world.changesOf(id)) touched.add(`pull-request:${key}`);
  // A queued session's reason names the busy ones.
  for (const other of world.activeSessions()) if (other.phase === "queued") touched.add(`session:${other.id}`);
}

function addChange(touched: Set<ViewKey>, key: string, world: World): void {
  touched.add(`pull-request:${key}`);
  const sessionId = world.change(key)?.sessionId ?? null;
  if (sessionId !== null) touched.add(`session:${sessionId}`);
}

function addDependents(touched: Set<ViewKey>, projectId: string | undefined, world: World): void {
  for (const { id } of world.activeSessions(projectId)) touched.add(`session:${id}`);
  for (const { key } of world.activeChanges(projectId)) touched.add(`pull-request:${key}`);
}
