import type { ChangeState } from "../core/change/state.ts";
import { AoError, PluginError } from "../core/errors.ts";
import type { World } from "../core/world.ts";
import type { Clock } from "../ports/host.ts";
import type { EffectDeps } from "./executor.ts";
import { BUSY_MS, nextPause, QUIET_MS, type Trust } from "./forge-pace.ts";
import type { Loop } from "./loop.ts";
import type { PollRounds } from "./poll-rounds.ts";
import { readObservations } from "./read-observations.ts";

/**
 * The minimum time between reads of a project's pull requests because of webhooks, except for a short burst: a forge
 * reports the start and end of a check, or several checks, within a moment.
 */
const REPORT_GAP_MS = 2000;
const REPORTS_AT_ONCE = 5;

/** Why a forge cannot be read. */
export interface ForgeTrouble {
  readonly projectId: string;
  readonly since: number;
  readonly message: string;
  readonly hint: string | null;
}

/** The pull requests of one project, and when they are read next. */
export interface Watch {
  readonly projectId: string;
  pauseMs: number;
  /** Commits that were about its pull requests. */
  events: number;
  /** All of them need to be read. */
  isDue: boolean;
  /** Pull requests to read before that. */
  readonly wanted: Set<string>;
  /** The last failure to read; null: none. */
  trouble: ForgeTrouble | null;
  /** Reads all of them within this pause, instead of as planned, but not before the forge allows it. */
  readIn(ms: number): void;
  /** The forge asked for a pause: until then nothing is read, whoever asks. */
  holdOff(ms: number): void;
  isHeldOff(): boolean;
  /** Reads some of them, at once unless that happened often in the last moments, and again a little later. */
  readNow(keys: readonly string[]): void;
  /** Reads one of them a little later. */
  readSoon(key: string): void;
  close(): void;
}

/** A watch whose pull requests are read by `request`. */
export function createWatch(
  projectId: string,
  { clock, rounds }: { readonly clock: Clock; readonly rounds: PollRounds },
  request: (projectId: string) => unknown,
): Watch {
  let cancel = (): void => undefined;
  const timers = new Map<string, () => void>();
  // Each read advances it by the gap; its lead over the current time shows how many came at once.
  let spentUntil = Number.NEGATIVE_INFINITY;
  let heldUntil = Number.NEGATIVE_INFINITY;
  const after = (name: string, ms: number, work: () => void): void => {
    if (timers.has(name)) return;
    const run = (): void => {
      timers.delete(name);
      work();
      request(projectId);
    };
    timers.set(name, clock.after(ms, run));
  };
  const watch: Watch = {
    projectId,
    pauseMs: BUSY_MS,
    events: 0,
    isDue: false,
    wanted: new Set(),
    trouble: null,
    readIn: (ms) => {
      cancel();
      cancel = rounds.join({ ms, notBefore: heldUntil }, () => {
        watch.isDue = true;
        request(projectId);
      });
    },
    holdOff: (ms) => {
      heldUntil = clock.now() + ms;
    },
    isHeldOff: () => clock.now() < heldUntil,
    readNow: (keys) => {
      for (const key of keys) watch.wanted.add(key);
      const waitMs = spentUntil - clock.now() - (REPORTS_AT_ONCE - 1) * REPORT_GAP_MS;
      const begin = (): void => {
        spentUntil = Math.max(spentUntil, clock.now()) + REPORT_GAP_MS;
      };
      if (waitMs > 0) after("wanted", waitMs, begin);
      else {
        begin();
        request(projectId);
      }
      // A forge may report before its own API shows it.
      for (const key of keys) watch.readSoon(key);
    },
    readSoon: (key) => after(key, BUSY_MS, () => watch.wanted.add(key)),
    close: () => {
      cancel();
      for (const stop of timers.values()) stop();
    },
  };
  return watch;
}

/** Open pull requests of a project on a remote forge. */
export function openOnForge(world: World, projectId: string): readonly ChangeState[] {
  return [...world.activeChanges(projectId)].filter(({ phase, forge }) => phase === "open" && forge !== undefined);
}

export interface Looking {
  readonly loop: Loop;
  readonly deps: EffectDeps;
  readonly trust: Trust;
}

/** Reads what is due or wanted; returns when all of them should be read again, or null: as planned. */
export async function look({ loop, deps, trust }: Looking, watch: Watch): Promise<number | null> {
  const { clock, log } = deps.host;
  const open = openOnForge(loop.world.view, watch.projectId);
  const { isDue } = watch;
  const wanted = isDue ? open : open.filter(({ key }) => watch.wanted.has(key));
  const [since, events] = [clock.now(), watch.events];
  watch.isDue = false;
  watch.wanted.clear();
  let retryMs: number | null = null;
  const news = await inspect(loop, deps, wanted).catch((error: unknown) => {
    retryMs = (error instanceof PluginError ? error.retryAfterMs : undefined) ?? 0;
    log.warn("the forge could not be read", { project: watch.projectId, reason: String(error) });
    watch.trouble = toTrouble(watch, error, since);
    return [];
  });
  if (retryMs === null) watch.trouble = null;
  if (retryMs !== null) watch.holdOff(retryMs);
  const isReported = ({ forge }: ChangeState): boolean =>
    forge?.fork === undefined || deps.scmOf(watch.projectId).remote?.webhooksMissForks !== true;
  if (isDue) for (const { url } of news.filter(isReported)) trust.missed(url ?? "", since);
  const isTrusted = open.every((change) => isReported(change) && trust.covers(change.url ?? ""));
  const hasFailed = retryMs !== null;
  if (!isDue && !hasFailed && (isTrusted || watch.pauseMs <= QUIET_MS)) return null;
  const isNews = news.length > 0 || watch.events !== events;
  watch.pauseMs = isDue ? nextPause(watch.pauseMs, { isNews, hasFailed, isTrusted }) : BUSY_MS;
  return watch.pauseMs;
}

function toTrouble({ projectId, trouble }: Watch, error: unknown, now: number): ForgeTrouble {
  const message = error instanceof Error ? error.message : String(error);
  const hint = error instanceof AoError ? (error.hint ?? null) : null;
  return { projectId, since: trouble?.since ?? now, message, hint };
}

/** Reads pull requests of one project; returns those with something that a webhook would have reported. */
async function inspect(loop: Loop, deps: EffectDeps, changes: readonly ChangeState[]): Promise<readonly ChangeState[]> {
  const [first] = changes;
  const remote = first === undefined ? undefined : deps.scmOf(first.projectId).remote;
  if (remote === undefined) return [];
  const news: ChangeState[] = [];
  for (const { key, seen } of await readObservations(deps, remote, changes)) {
    const before = loop.world.view.change(key);
    await loop.submit({ input: { type: "change.seen", key, seen } });
    if (before !== undefined && isDifferent(before, loop.world.view.change(key))) news.push(before);
  }
  return news;
}

// For example, a forge can change its reason for not merging without sending a webhook.
function isDifferent(before: ChangeState, after: ChangeState | undefined): boolean {
  const parts = ["phase", "checks", "reviews", "threads", "labels"] as const;
  return parts.some((part) => before[part] !== after?.[part]);
}
