/** Work that would conflict if both were merged: of two sessions, or of a session and the project's base. */
export interface Collision {
  readonly session: string;
  /** null: the base. */
  readonly other: string | null;
  /** The conflicting files, sorted; only the first of very many. */
  readonly files: readonly string[];
}

/** A collision that is there now. */
export interface OpenCollision extends Collision {
  readonly since: number;
}

/** The collisions after one more was found; a known one keeps its age. */
export function addCollision(
  open: readonly OpenCollision[] | undefined,
  { session, other, files }: Collision,
  at: number,
): readonly OpenCollision[] {
  const since = open?.find((collision) => collisionKey(collision) === collisionKey({ session, other }))?.since ?? at;
  return [...removeCollision(open, { session, other }), { session, other, files, since }];
}

/** The collisions after one is gone. */
export function removeCollision(
  open: readonly OpenCollision[] | undefined,
  gone: Omit<Collision, "files">,
): readonly OpenCollision[] {
  return (open ?? []).filter((collision) => collisionKey(collision) !== collisionKey(gone));
}

/** The same for the same two, whatever the files. */
export function collisionKey({ session, other }: Omit<Collision, "files">): string {
  return JSON.stringify([session, other]);
}
