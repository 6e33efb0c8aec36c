import type { ChangeState } from "../core/change/state.ts";
import { PluginError } from "../core/errors.ts";
import type { World } from "../core/world.ts";
import type { StoredEvent } from "../ports/store.ts";
import type { Activity } from "./activity.ts";
import type { EffectDeps } from "./executor.ts";
import type { Loop } from "./loop.ts";
import { readObservations } from "./read-observations.ts";

/** While something happens, and when nothing has for a while; each quiet look doubles the pause. */
const BUSY_MS = 10_000;
const QUIET_MS = 60_000;

export interface ChangeObserver {
  close(): void;
}

/** Watches pull requests on forges elsewhere: one question for all of a project, seldom while nothing happens. */
export function createChangeObserver(loop: Loop, deps: EffectDeps, activity: Activity): ChangeObserver {
  const watches = new Map<string, Watch>();
  const world = loop.world.view;
  let isClosed = false;
  const watchOf = (projectId: string): Watch => {
    const watch = watches.get(projectId) ?? { projectId, pauseMs: BUSY_MS, events: 0, cancel: () => undefined };
    watches.set(projectId, watch);
    return watch;
  };
  const look = async (watch: Watch): Promise<void> => {
    const before = watch.events;
    let retryMs = 0;
    await inspect(loop, deps, watch.projectId).catch((error: unknown) => {
      retryMs = (error instanceof PluginError ? error.retryAfterMs : undefined) ?? 0;
      deps.host.log.warn("the forge could not be read", { project: watch.projectId, reason: String(error) });
    });
    watch.pauseMs = watch.events === before ? Math.min(QUIET_MS, watch.pauseMs * 2) : BUSY_MS;
    schedule(watch, Math.max(watch.pauseMs, retryMs));
  };

  const schedule = (watch: Watch, ms: number): void => {
    watch.cancel();
    if (isClosed) return;
    if (openIn(world, watch.projectId).length === 0) {
      watches.delete(watch.projectId);
      return;
    }
    watch.cancel = deps.host.clock.after(ms, () => {
      const end = activity.begin();
      void look(watch).finally(end);
    });
  };

  // What happens to a pull request makes the next look come soon: a push starts checks, a review may follow.
  const notice = (projectId: string): void => {
    const isNew = !watches.has(projectId);
    const watch = watchOf(projectId);
    watch.events += 1;
    if (!isNew && watch.pauseMs === BUSY_MS) return;
    watch.pauseMs = BUSY_MS;
    schedule(watch, BUSY_MS);
  };

  const unsubscribe = loop.subscribe((events) => {
    for (const projectId of projectsOf(world, events)) notice(projectId);
  });
  // What happened while no daemon ran is read at once.
  const projects = [...world.activeChanges()].filter(({ forge }) => forge !== undefined);
  for (const { projectId } of projects) if (!watches.has(projectId)) schedule(watchOf(projectId), 0);
  return {
    close: () => {
      isClosed = true;
      unsubscribe();
      for (const { cancel } of watches.values()) cancel();
    },
  };
}

function openIn(world: World, projectId: string): readonly ChangeState[] {
  return [...world.activeChanges(projectId)].filter(({ phase, forge }) => phase === "open" && forge !== undefined);
}

async function inspect(loop: Loop, deps: EffectDeps, projectId: string): Promise<void> {
  const changes = openIn(loop.world.view, projectId);
  const { remote } = deps.scmOf(projectId);
  if (changes.length === 0 || remote === undefined) return;
  for (const { key, seen } of await readObservations(deps, remote, changes)) {
    await loop.submit({ input: { type: "change.seen", key, seen } });
  }
}

// The projects whose pull requests on a forge something happened to.
function projectsOf(world: World, events: readonly StoredEvent[]): ReadonlySet<string> {
  const projects = new Set<string>();
  for (const { stream } of events) {
    const change = stream.startsWith("change:") ? world.change(stream.slice("change:".length)) : undefined;
    if (change?.forge !== undefined && change.phase === "open") projects.add(change.projectId);
  }
  return projects;
}

interface Watch {
  readonly projectId: string;
  pauseMs: number;
  /** Commits that were about its pull requests. */
  events: number;
  cancel: () => void;
}
