/** The state with the time of its archiving, or without one; when something happened to it last stays. */
export function withArchived<T extends { readonly archivedAt?: number }>(state: T, at: number | null): T {
  const { archivedAt, ...live } = state;
  if (at === null) return archivedAt === undefined ? state : (live as T);
  return archivedAt === undefined ? { ...state, archivedAt: at } : state;
}
