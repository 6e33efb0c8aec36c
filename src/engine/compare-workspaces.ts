import type { Collision } from "../core/project/collision.ts";
import type { SessionState } from "../core/session/state.ts";
import type { TrialMerges, TrialPair, WorkspaceProject } from "../ports/workspace.ts";
import { type BackgroundLane, createBackgroundLane } from "./background-lane.ts";
import type { EffectDeps } from "./executor.ts";

/** After this many captures, or this many of each session, everything is captured again, so that old objects are deleted. */
const MAX_CAPTURES = 300;
const MAX_CAPTURES_EACH = 10;
/** The time share for captures, so that a large fleet does not start them all at once. */
const CAPTURE_SHARE = 0.1;

export interface Compared {
  /** Sessions of one project, each with a ready workspace. */
  readonly sessions: readonly SessionState[];
  /** Sessions that are not compared this time, but may be next time: what is known of them is kept. */
  readonly others: readonly SessionState[];
  /** The commit of the project's base; null: unknown. */
  readonly base: string | null;
}

/** Compares the workspaces of one project; reads and merges only what changed since the last time. */
export interface Comparison {
  /** All current collisions. */
  compare(compared: Compared): Promise<readonly Collision[]>;
  /** The workspace may have changed since it was captured. */
  forget(sessionId: string): void;
  /** Was the workspace captured since it last changed? */
  has(sessionId: string): boolean;
}

/** What is known from the last comparison. */
interface Memory {
  /** The captured commit of each session. */
  readonly commits: Map<string, string>;
  /** The conflicting files, by pairs of commits. */
  readonly conflicts: Map<string, readonly string[]>;
  readonly fresh: Set<string>;
  /** Infinite at first, so that an earlier daemon's captures are deleted too. */
  captures: number;
}

/** An empty comparison. */
export function createComparison(deps: EffectDeps): Comparison {
  const captures = Number.POSITIVE_INFINITY;
  const memory: Memory = { commits: new Map(), conflicts: new Map(), fresh: new Set(), captures };
  const lane = createBackgroundLane(deps.host.clock, CAPTURE_SHARE);
  return {
    compare: async ({ sessions, others, base }) => {
      const first = sessions[0];
      const trials = first === undefined ? undefined : deps.workspaceOf(first).trials;
      if (first === undefined || trials === undefined) return [];
      const project = deps.projectOf(first);
      const maxCaptures = Math.max(MAX_CAPTURES, MAX_CAPTURES_EACH * sessions.length);
      if (memory.captures >= maxCaptures) await startAnew(memory, trials, project);
      forgetAllBut(memory, [...sessions, ...others]);
      await captureAll(deps, { sessions, trials, memory, lane });
      const pairs = pairsOf(memory, sessions, base);
      await mergeNew(memory, pairs, (fresh) => trials.merge(project, fresh));
      return pairs.flatMap(({ session, other, ...pair }) => {
        const files = memory.conflicts.get(keyOf(pair)) ?? [];
        return files.length === 0 ? [] : [{ session, other, files }];
      });
    },
    forget: (sessionId) => memory.fresh.delete(sessionId),
    has: (sessionId) => memory.fresh.has(sessionId),
  };
}

async function startAnew(memory: Memory, trials: TrialMerges, project: WorkspaceProject): Promise<void> {
  await trials.forget(project);
  memory.commits.clear();
  memory.conflicts.clear();
  memory.fresh.clear();
  memory.captures = 0;
}

interface Capturing {
  readonly sessions: readonly SessionState[];
  readonly trials: TrialMerges;
  readonly memory: Memory;
  readonly lane: BackgroundLane;
}

function forgetAllBut({ commits, fresh }: Memory, sessions: readonly SessionState[]): void {
  const live = new Set(sessions.map(({ id }) => id));
  for (const id of [...commits.keys(), ...fresh].filter((known) => !live.has(known))) {
    commits.delete(id);
    fresh.delete(id);
  }
}

async function captureAll(deps: EffectDeps, { sessions, trials, memory, lane }: Capturing): Promise<void> {
  for (const session of sessions) {
    if (memory.fresh.has(session.id)) continue;
    await lane(async () => {
      // It may have been stopped while others were captured.
      if (deps.session(session.id)?.workspace.state !== "ready") return;
      // Set before reading, so that changes during the read are read again.
      memory.fresh.add(session.id);
      memory.captures += 1;
      const commit = await capture(deps, trials, session);
      if (commit === null) memory.commits.delete(session.id);
      else memory.commits.set(session.id, commit);
    });
  }
}

async function capture(deps: EffectDeps, trials: TrialMerges, session: SessionState): Promise<string | null> {
  const { id: sessionId, branch, workspace } = session;
  const { path, generation } = workspace;
  if (path === null) return null;
  try {
    return await trials.capture({ project: deps.projectOf(session), sessionId, path, branch, generation });
  } catch (error) {
    deps.host.log.warn("a workspace could not be captured", { session: sessionId, reason: String(error) });
    return null;
  }
}

type Pair = Omit<Collision, "files"> & TrialPair;

/** Every pair of sessions, and every session with the base; the same two are always in the same order. */
function pairsOf({ commits }: Memory, sessions: readonly SessionState[], base: string | null): readonly Pair[] {
  const compared = new Set(sessions.map(({ id }) => id));
  const sorted = [...commits].filter(([id]) => compared.has(id)).sort(([one], [other]) => (one < other ? -1 : 1));
  return sorted.flatMap(([session, ours], at) => [
    ...sorted.slice(at + 1).map(([other, theirs]) => ({ session, other, ours, theirs })),
    ...(base === null ? [] : [{ session, other: null, ours, theirs: base }]),
  ]);
}

function keyOf({ ours, theirs }: TrialPair): string {
  return `${ours} ${theirs}`;
}

async function mergeNew(
  { conflicts }: Memory,
  pairs: readonly Pair[],
  merge: (pairs: readonly TrialPair[]) => ReturnType<TrialMerges["merge"]>,
): Promise<void> {
  const current = new Set(pairs.map(keyOf));
  for (const key of [...conflicts.keys()]) if (!current.has(key)) conflicts.delete(key);
  const fresh = pairs.filter((pair) => !conflicts.has(keyOf(pair)));
  if (fresh.length === 0) return;
  const answers = await merge(fresh);
  for (const [at, pair] of fresh.entries()) {
    const answer = answers[at];
    conflicts.set(keyOf(pair), answer?.kind === "conflict" ? answer.files : []);
  }
}
