import { healthOfMain } from "../core/guard/status.ts";
import type { ProjectState } from "../core/project/state.ts";
import type { World } from "../core/world.ts";
import type { ProjectView } from "../protocol/views/project.ts";

/** A project with the number of its open sessions. */
export function toProjectView(project: ProjectState, world: World, notes: readonly string[]): ProjectView {
  let sessions = 0;
  for (const session of world.activeSessions(project.id)) if (session.phase !== "stopped") sessions += 1;
  return {
    id: project.id,
    name: project.name,
    path: project.path,
    repo: project.repo,
    defaultBranch: project.defaultBranch,
    sessionPrefix: project.sessionPrefix,
    configFile: project.configFile,
    paused: project.paused,
    sessions,
    main: healthOfMain(world, project),
    collisions: project.collisions?.length ?? 0,
    notes,
  };
}
