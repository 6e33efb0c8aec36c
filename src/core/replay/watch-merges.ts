import type { ChangeState } from "../change/state.ts";
import type { World } from "../world.ts";
import { findWait, type Unrecorded, type Wait, type WaitReason } from "./find-wait.ts";

/** How one pull request came to its merge in a replay. */
export interface MergeRecord {
  readonly key: string;
  readonly number: number;
  readonly projectId: string;
  /** Its commit at the end. */
  readonly head: string;
  /** Did it wait for a person while everything else was done? */
  readonly waited: boolean;
  readonly waitMs: number;
  /** What it waited for last. */
  readonly reason: WaitReason;
  /** What the rules needed at its merge and the log does not have; null: nothing. */
  readonly unrecorded: Unrecorded | null;
}

/** A settled moment of a replay. */
export interface Settled {
  readonly world: World;
  /** Open pull requests that may have changed. */
  readonly changes: readonly ChangeState[];
  readonly now: number;
}

export interface MergeWatch {
  note(settled: Settled): void;
  /** What was seen until now. */
  end(now: number): ReadonlyMap<string, MergeRecord>;
}

interface Watched extends MergeRecord {
  /** It waits for a person since; null: it does not. */
  readonly since: number | null;
  /** What is missing now; it matters only if it is merged like that. */
  readonly missing: Unrecorded | null;
}

/** Notes for the pull requests of these projects how long each waits for a person, and for what. */
export function createMergeWatch(projects: ReadonlySet<string>): MergeWatch {
  const records = new Map<string, Watched>();
  /** Seen open: they may be merged or closed without being named again. */
  const open = new Set<string>();
  const update = (world: World, change: ChangeState, now: number): void => {
    const project = world.project(change.projectId);
    if (project === undefined || project.policy === null || !projects.has(change.projectId)) return;
    const wait = findWait(change, project.policy, project.baseHead);
    records.set(change.key, watched(records.get(change.key) ?? unseen(change), { change, wait, now }));
    if (change.phase === "open") open.add(change.key);
    else open.delete(change.key);
  };
  return {
    note: ({ world, changes, now }) => {
      for (const change of changes) update(world, change, now);
      for (const key of open) {
        const change = world.change(key);
        if (change !== undefined && change.phase !== "open") update(world, change, now);
      }
    },
    end: (now) => new Map([...records].map(([key, record]) => [key, pass(record, now)])),
  };
}

interface Moment {
  readonly change: ChangeState;
  readonly wait: Wait | null;
  readonly now: number;
}

function watched(known: Watched, { change, wait, now }: Moment): Watched {
  const isDecided = change.phase !== "open" || change.mergeRequest !== null;
  const rest = {
    ...pass(known, now),
    head: change.head,
    since: null,
    missing: wait?.kind === "unrecorded" ? wait.what : null,
    unrecorded: isDecided ? (known.missing ?? known.unrecorded) : known.unrecorded,
  };
  return wait?.kind === "person" ? { ...rest, waited: true, reason: wait.reason, since: now } : rest;
}

function unseen({ key, number, projectId, head }: ChangeState): Watched {
  const empty = { waited: false, waitMs: 0, reason: null, unrecorded: null, since: null, missing: null };
  return { key, number, projectId, head, ...empty };
}

function pass(record: Watched, now: number): Watched {
  return record.since === null ? record : { ...record, waitMs: record.waitMs + now - record.since, since: now };
}
