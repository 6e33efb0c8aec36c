import type { World } from "../core/world.ts";
import type { CollisionView } from "../protocol/views/radar.ts";
import { toTime } from "./time.ts";

/** The collisions in one project, or in all, oldest first. */
export function listCollisions(world: World, projectId: string | null): readonly CollisionView[] {
  const projects = [...world.projects()].filter(
    ({ id, removed }) => !removed && (projectId === null || id === projectId),
  );
  return projects
    .flatMap(({ id, collisions = [] }) => collisions.map((collision) => ({ ...collision, projectId: id })))
    .sort((one, other) => one.since - other.since)
    .map(({ since, ...collision }) => ({ ...collision, since: toTime(since) }));
}
