import { type Emitted, onProject } from "../event.ts";
import { isSame } from "../same.ts";
import type { World } from "../world.ts";
import { type Collision, collisionKey } from "./collision.ts";

/** Turns a full list of a project's collisions into events: only differences from the known list. */
export function decideCollisions(world: World, projectId: string, seen: readonly Collision[]): readonly Emitted[] {
  const project = world.project(projectId);
  if (project === undefined) return [];
  const known = new Map((project.collisions ?? []).map((collision) => [collisionKey(collision), collision]));
  const found = seen.filter((collision) => !isSame(known.get(collisionKey(collision))?.files, collision.files));
  const still = new Set(seen.map(collisionKey));
  const gone = [...known.values()].filter((collision) => !still.has(collisionKey(collision)));
  return [
    ...gone.flatMap(({ session, other }) => onProject(projectId, { type: "collision.gone", session, other })),
    ...found.flatMap((collision) => onProject(projectId, { type: "collision.found", ...collision })),
  ];
}
