/** Kinds of needs that rank before or after all failures. */
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
 * How urgent a need is, smallest first: what blocks other tasks, questions, failures, what can merge, reviews, the
 * rest. A need that only waits for a merge or a review blocks others too, but nobody is stuck on it.
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

/** The inbox order: by rank, then by waiting time, multiplied by the tasks it blocks plus one. */
export function compareNeeds(a: Ranked, b: Ranked, now: number): number {
  return a.rank - b.rank || waitOf(b, now) - waitOf(a, now);
}

function waitOf({ at, blocks }: Ranked, now: number): number {
  return Math.max(0, now - Date.parse(at)) * (1 + blocks.length);
}
