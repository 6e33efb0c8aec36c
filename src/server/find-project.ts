import { AoError } from "../core/errors.ts";
import type { ProjectState } from "../core/project/state.ts";
import type { World } from "../core/world.ts";

/** The project with this id, or an error that explains how to list them. */
export function requireProject(world: World, id: string): ProjectState {
  const project = world.project(id);
  if (project !== undefined) return project;
  throw new AoError({
    code: "project-unknown",
    message: `There is no project "${id}".`,
    hint: "`ao projects` lists them.",
  });
}
