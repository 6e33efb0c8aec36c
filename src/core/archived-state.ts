/** The state with or without an archiving time; the time of its last event stays. */
export function withArchived<T extends { readonly archivedAt?: number }>(state: T, at: number | null): T {
  const { archivedAt, ...live } = state;
  if (at === null) return archivedAt === undefined ? state : (live as T);
  return archivedAt === undefined ? { ...state, archivedAt: at } : state;
}
