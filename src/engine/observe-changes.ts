import { type ForgeReport, reportedChanges } from "../core/change/forge-report.ts";
import type { ChangeState } from "../core/change/state.ts";
import type { World } from "../core/world.ts";
import type { StoredEvent } from "../ports/store.ts";
import type { Activity } from "./activity.ts";
import { createCoalescer } from "./coalesce.ts";
import type { EffectDeps } from "./executor.ts";
import { BUSY_MS, createTrust } from "./forge-pace.ts";
import { createWatch, type ForgeTrouble, look, openOnForge, type Watch } from "./forge-watch.ts";
import type { Loop } from "./loop.ts";
import { createPollRounds } from "./poll-rounds.ts";

/** What `ao` does on a forge, which a working webhook therefore reports. */
const OWN_ACTIONS: readonly string[] = [
  "change.opened",
  "change.transferred",
  "change.published",
  "change.write-settled",
];

export interface ChangeObserver {
  /** Reads at once what a forge reports as changed; returns the number of affected pull requests. */
  report(report: ForgeReport): number;
  /** Projects whose forge cannot be read now. */
  troubles(): readonly ForgeTrouble[];
  close(): void;
}

/**
 * Watches pull requests on remote forges: all of a project at once and at the same moment as other projects, rarely
 * while nothing happens, and hardly ever if webhooks report changes. Both ways end in the same observation, so the same
 * fact is one event.
 */
export function createChangeObserver(loop: Loop, deps: EffectDeps, activity: Activity): ChangeObserver {
  const watches = new Map<string, Watch>();
  const world = loop.world.view;
  const { clock } = deps.host;
  const trust = createTrust(clock.now);
  const rounds = createPollRounds(clock);
  const looks = createCoalescer<string>(async (projectId) => {
    const watch = watches.get(projectId);
    if (watch === undefined || watch.isHeldOff() || (!watch.isDue && watch.wanted.size === 0)) return;
    const waitMs = await look({ loop, deps, trust }, watch);
    if (openOnForge(world, projectId).length === 0) {
      watch.close();
      watches.delete(projectId);
    } else if (waitMs !== null) watch.readIn(waitMs);
  }, activity);
  const watchOf = (projectId: string): Watch => {
    const watch = watches.get(projectId) ?? createWatch(projectId, { clock, rounds }, looks.request);
    watches.set(projectId, watch);
    return watch;
  };

  // Activity on a pull request makes the next read come soon: a push starts checks, a review may follow.
  const notice = ({ projectId, key, url }: ChangeState): void => {
    const isNew = !watches.has(projectId);
    const watch = watchOf(projectId);
    watch.events += 1;
    const isCovered = !isNew && trust.covers(url ?? "");
    if (isCovered) watch.readSoon(key);
    if (isCovered || (!isNew && watch.pauseMs === BUSY_MS)) return;
    watch.pauseMs = BUSY_MS;
    watch.readIn(BUSY_MS);
  };

  const unsubscribe = loop.subscribe((events) => {
    const changes = events.flatMap((event) => changeOf(world, event));
    for (const change of new Set(changes.map((touched) => touched.change))) notice(change);
    for (const { type, change } of changes) if (OWN_ACTIONS.includes(type)) trust.acted(change.url ?? "");
  });
  // What happened while no daemon was running is read at once.
  const projects = [...world.activeChanges()].filter(({ forge }) => forge !== undefined);
  for (const projectId of new Set(projects.map((change) => change.projectId))) watchOf(projectId).readIn(0);
  return {
    report: (report) => {
      trust.heard(report.repository);
      const changes = reportedChanges(world, report);
      for (const projectId of new Set(changes.map((change) => change.projectId))) {
        watchOf(projectId).readNow(changes.flatMap((one) => (one.projectId === projectId ? one.key : [])));
      }
      return changes.length;
    },
    troubles: () => [...watches.values()].flatMap(({ trouble }) => trouble ?? []),
    close: () => {
      looks.close();
      unsubscribe();
      for (const watch of watches.values()) watch.close();
    },
  };
}

interface Touched {
  readonly type: string;
  readonly change: ChangeState;
}

// The open pull request on a forge that an event is about.
function changeOf(world: World, { stream, event: { type } }: StoredEvent): readonly Touched[] {
  const change = stream.startsWith("change:") ? world.change(stream.slice("change:".length)) : undefined;
  return change?.forge !== undefined && change.phase === "open" ? [{ type, change }] : [];
}
