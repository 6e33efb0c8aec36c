export interface Held {
  /** The ids to show, in order. */
  readonly ids: readonly string[];
  /** How many wait until the pointer and the focus have left the list. */
  readonly waiting: number;
}

/** While a person is in the list no row moves: removed ones leave, new ones wait. */
export function holdOrder(shown: readonly string[], next: readonly string[], isHeld: boolean): Held {
  if (!isHeld) return { ids: next, waiting: 0 };
  const known = new Set(shown);
  const current = new Set(next);
  return { ids: shown.filter((id) => current.has(id)), waiting: next.filter((id) => !known.has(id)).length };
}
