/** Members of a changing group, in turns. */
export interface Turns<T> {
  /** How long to wait before the next turn. */
  pauseMs(): number;
  /** The members of the next turn. */
  next(): readonly T[];
}

/** Each member has its turn once in `everyMs`; of a large group no more than `atOnce` have theirs together. */
export function createTurns<T>(
  members: ReadonlyMap<string, T>,
  { everyMs, atOnce }: { readonly everyMs: number; readonly atOnce: number },
): Turns<T> {
  const count = (): number => Math.max(1, Math.ceil(members.size / atOnce));
  let turn = 0;
  return {
    pauseMs: () => everyMs / count(),
    next: () => {
      turn += 1;
      const turns = count();
      return [...members.values()].filter((_, at) => at % turns === turn % turns);
    },
  };
}
