import type { Collision } from "../core/project/collision.ts";
import type { SessionState } from "../core/session/state.ts";
import type { TrialMerges, TrialPair, WorkspaceProject } from "../ports/workspace.ts";
import type { EffectDeps } from "./executor.ts";

/** After this many captures everything is captured again, so that old objects are deleted. */
const MAX_CAPTURES = 300;

export interface Compared {
  /** Sessions of one project, each with a ready workspace. */
  readonly sessions: readonly SessionState[];
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
  /** MAX_CAPTURES at first, so that an earlier daemon's captures are deleted too. */
  captures: number;
}

/** An empty comparison. */
export function createComparison(deps: EffectDeps): Comparison {
  const memory: Memory = { commits: new Map(), conflicts: new Map(), fresh: new Set(), captures: MAX_CAPTURES };
  return {
    compare: async ({ sessions, base }) => {
      const first = sessions[0];
      const trials = first === undefined ? undefined : deps.workspaceOf(first).trials;
      if (first === undefined || trials === undefined) return [];
      const project = deps.projectOf(first);
      if (memory.captures >= MAX_CAPTURES) await startAnew(memory, trials, project);
      await captureAll(deps, { sessions, trials, memory });
      const pairs = pairsOf(memory, base);
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
}

async function captureAll(deps: EffectDeps, { sessions, trials, memory }: Capturing): Promise<void> {
  const live = new Set(sessions.map(({ id }) => id));
  for (const id of [...memory.commits.keys()].filter((known) => !live.has(known))) {
    memory.commits.delete(id);
    memory.fresh.delete(id);
  }
  for (const session of sessions) {
    if (memory.fresh.has(session.id)) continue;
    // Set before reading, so that changes during the read are read again.
    memory.fresh.add(session.id);
    memory.captures += 1;
    const commit = await capture(deps, trials, session);
    if (commit === null) memory.commits.delete(session.id);
    else memory.commits.set(session.id, commit);
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
function pairsOf({ commits }: Memory, base: string | null): readonly Pair[] {
  const sorted = [...commits].sort(([one], [other]) => (one < other ? -1 : 1));
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
