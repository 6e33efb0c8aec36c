import type { CollisionView } from "../../../../src/protocol/views/radar.ts";

/** How many rows fit beside the panel's text; more would be unreadable. */
const MOST_ROWS = 16;

/** One square of the radar: two sessions, or a session and the base. */
export interface RadarCell {
  readonly key: string;
  /** null: their work merges. */
  readonly collision: CollisionView | null;
}

/** One session with everything above it. */
export interface RadarRow {
  /** null: the base branch. */
  readonly session: string | null;
  readonly cells: readonly RadarCell[];
}

/** The radar as a triangle: the base first, then colliding sessions, then the others as far as they fit. */
export function radarRows(collisions: readonly CollisionView[], sessions: readonly string[]): readonly RadarRow[] {
  const colliding = [
    ...new Set(collisions.flatMap(({ session, other }) => [session, ...(other === null ? [] : [other])])),
  ];
  const others = sessions.filter((id) => !colliding.includes(id));
  const names = [null, ...[...colliding.sort(), ...others].slice(0, MOST_ROWS)];
  return names.map((session, row) => ({
    session,
    cells: names.slice(0, row).map((above) => ({
      key: `${session} ${above}`,
      collision: collisions.find((one) => isBetween(one, session, above)) ?? null,
    })),
  }));
}

function isBetween({ session, other }: CollisionView, one: string | null, another: string | null): boolean {
  return (session === one && other === another) || (session === another && other === one);
}

/** How many pairs collide, in words. */
export function describeRadar(collisions: readonly CollisionView[]): string {
  if (collisions.length === 0) return "nothing collides";
  return collisions.length === 1 ? "1 pair collides" : `${collisions.length} pairs collide`;
}

/** Both sides of a collision, for people. */
export function nameSides({ session, other }: CollisionView, base: string): string {
  return `${session} and ${other ?? base}`;
}
