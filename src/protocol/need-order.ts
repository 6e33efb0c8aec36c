/** Kinds of needs that come before or after everything that is broken. */
const NEED_RANKS: Readonly<Record<string, number>> = {
  question: 1,
  permission: 1,
  "approved-and-green": 3,
  review: 4,
  "agent-idle": 5,
  uncommitted: 5,
};
const BLOCKS_OTHERS = 0;
const BROKEN_RANK = 2;

/**
 * How pressing a need is, smallest first: what blocks other tasks, questions, what is broken, what can merge, reviews, the rest. What
 * only waits for a merge or a review blocks others too, but nobody is stuck on it.
 */
export function needRank(kind: string, blockedTasks: number): number {
  const rank = NEED_RANKS[kind] ?? BROKEN_RANK;
  return rank <= BROKEN_RANK && blockedTasks > 0 ? BLOCKS_OTHERS : rank;
}

export interface Ranked {
  readonly rank: number;
  readonly at: string;
  readonly blocks: readonly string[];
}

/** The order of the inbox: by rank, then by how long it waits, counted once more for each task that it blocks. */
export function compareNeeds(a: Ranked, b: Ranked, now: number): number {
  return a.rank - b.rank || waitOf(b, now) - waitOf(a, now);
}

function waitOf({ at, blocks }: Ranked, now: number): number {
  return Math.max(0, now - Date.parse(at)) * (1 + blocks.length);
}
