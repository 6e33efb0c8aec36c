import type { PROJECT_CALLS } from "../../protocol/calls/projects.ts";
import type { Actions } from "../actions.ts";
import { createCheckLog, toCheckHistoryView } from "../activity/check-log.ts";
import { requireProject } from "../find-project.ts";
import type { Handlers } from "../handler.ts";
import type { PassedThrough } from "../passed-through.ts";
import { toProjectView } from "../project-view.ts";

/** Projects: list, register, remove. */
export function createProjectHandlers(actions: Actions): Handlers<Exclude<keyof typeof PROJECT_CALLS, PassedThrough>> {
  const world = actions.engine.world;
  const checks = createCheckLog(actions.store, actions.engine.lastPosition);
  return {
    "GET /api/projects": () => {
      const data = [...world.projects()]
        .filter((project) => !project.removed)
        .map((project) => toProjectView(project, world, actions.projectNotes(project.id)));
      return { data };
    },
    "POST /api/projects": async ({ body, context, setStatus }) => {
      const { projects, ...added } = await actions.addProject(body, context);
      if (added.choices.length > 0) setStatus(200);
      return { data: projects.map((project) => toProjectView(project, world, added.notes)), ...added };
    },
    "GET /api/projects/:id/checks": async ({ params: { id } }) => {
      requireProject(world, id);
      return toCheckHistoryView(await checks.read(id));
    },
    "DELETE /api/projects/:id": async ({ params: { id }, context }) => {
      const project = requireProject(world, id);
      await actions.removeProject(id, context);
      return toProjectView(project, world, []);
    },
  };
}
