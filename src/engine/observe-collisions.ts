import type { EventType } from "../core/event.ts";
import type { SessionState } from "../core/session/state.ts";
import { type StreamId, splitStream } from "../core/stream.ts";
import type { StoredEvent } from "../ports/store.ts";
import type { Activity } from "./activity.ts";
import { createCoalescer } from "./coalesce.ts";
import { type Comparison, createComparison } from "./compare-workspaces.ts";
import type { EffectDeps } from "./executor.ts";
import type { Loop } from "./loop.ts";
import { repeat } from "./repeat.ts";

/** Events within this time are examined once. */
const SETTLE_MS = 2000;
/** How often an agent is examined during a turn. */
const WORKING_MS = 60_000;
/** Maximum number of a project's sessions to compare; of more, the most recently changed ones. */
const MAX_SESSIONS = 100;

/** Events after which a workspace, or what it is compared with, may have changed. */
const CAUSES: Partial<Record<EventType, "work" | "others">> = {
  "branch.seen": "work",
  "run.ended": "work",
  "workspace.created": "work",
  "workspace.removed": "others",
  "session.stopped": "others",
  "change.merged": "others",
  "project.base-moved": "others",
};

export interface CollisionObserver {
  /** Records what may collide after these events. */
  follow(events: readonly StoredEvent[]): void;
  close(): void;
}

/** Notices work that would conflict, before any pull request does. An inactive fleet starts no process. */
export function createCollisionObserver(loop: Loop, deps: EffectDeps, activity: Activity): CollisionObserver {
  const world = loop.world.view;
  const comparisons = new Map<string, Comparison>();

  const look = async (projectId: string): Promise<void> => {
    const candidates = comparable(world.activeSessions(projectId));
    const [sessions, others] = [candidates.slice(0, MAX_SESSIONS), candidates.slice(MAX_SESSIONS)];
    const base = world.project(projectId)?.baseHead ?? null;
    const comparison = comparisons.get(projectId) ?? createComparison(deps);
    comparisons.set(projectId, comparison);
    const collisions = canCollide(sessions, base) ? await comparison.compare({ sessions, others, base }) : [];
    await loop.submit({ input: { type: "collisions.seen", projectId, collisions } });
  };
  const looks = createLooks(look, deps, activity);
  const projectOf = (stream: StreamId): string | undefined => {
    const { kind, id } = splitStream(stream);
    return kind === "project" ? id : (world.session(id) ?? world.change(id))?.projectId;
  };

  const stop = repeat({
    clock: deps.host.clock,
    activity,
    pauseMs: WORKING_MS,
    work: async () => {
      for (const { id, projectId, turn } of comparable(world.activeSessions())) {
        const comparison = comparisons.get(projectId);
        if (turn !== null) comparison?.forget(id);
        if (comparison?.has(id) !== true) looks.soon(projectId);
      }
    },
  });

  return {
    follow: (events) => {
      for (const { stream, event } of events) {
        const cause = CAUSES[event.type];
        const projectId = cause === undefined ? undefined : projectOf(stream);
        if (projectId === undefined) continue;
        if (cause === "work") comparisons.get(projectId)?.forget(splitStream(stream).id);
        looks.soon(projectId);
      }
    },
    close: () => {
      looks.close();
      stop();
    },
  };
}

interface Looks {
  soon(projectId: string): void;
  close(): void;
}

function createLooks(look: (projectId: string) => Promise<void>, deps: EffectDeps, activity: Activity): Looks {
  const looks = createCoalescer(look, activity);
  const timers = new Map<string, () => void>();
  const begin = (projectId: string): void => {
    timers.delete(projectId);
    looks
      .request(projectId)
      .catch((error: unknown) =>
        deps.host.log.warn("workspaces could not be compared", { project: projectId, reason: String(error) }),
      );
  };
  return {
    soon: (projectId) => {
      if (!timers.has(projectId))
        timers.set(
          projectId,
          deps.host.clock.after(SETTLE_MS, () => begin(projectId)),
        );
    },
    close: () => {
      looks.close();
      for (const cancel of timers.values()) cancel();
    },
  };
}

/** Sessions whose workspace may contain work, newest first. */
function comparable(sessions: Iterable<SessionState>): readonly SessionState[] {
  return [...sessions]
    .filter(({ phase, workspace, run }) => phase === "open" && workspace.state === "ready" && run.n > 0)
    .sort((one, other) => other.updatedAt - one.updatedAt);
}

// A branch that starts at the base cannot collide with it.
function canCollide(sessions: readonly SessionState[], base: string | null): boolean {
  if (sessions.length > 1) return true;
  return base !== null && sessions.some(({ workspace }) => workspace.baseCommit !== base);
}
