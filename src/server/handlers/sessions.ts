import type { SESSION_CALLS } from "../../protocol/calls/sessions.ts";
import type { SessionDetailView } from "../../protocol/views/session.ts";
import type { Actions } from "../actions.ts";
import { findParent } from "../find-parent.ts";
import { requireProject } from "../find-project.ts";
import { pullRequestsOf } from "../find-pull-request.ts";
import { findSession } from "../find-session.ts";
import type { Handlers } from "../handler.ts";
import { createSessionList } from "../session-list.ts";
import { deriveShown, toSessionDetail } from "../views.ts";

/** Sessions as a whole: list, show, create, stop, restore, move. */
export function createSessionHandlers(actions: Actions): Handlers<keyof typeof SESSION_CALLS> {
  const { engine } = actions;
  const { world } = engine;
  const listSessions = createSessionList(engine);
  const detail = (id: string): Promise<SessionDetailView> =>
    toSessionDetail(findSession(world, id), world, actions.pullRequests.textOf);
  return {
    "GET /api/sessions": ({ query }) => {
      if (query.project !== undefined) requireProject(world, query.project);
      return listSessions(query);
    },
    "POST /api/sessions": async ({ body, context }) => {
      const { on, projectId, cwd } = body;
      const project = on === undefined ? null : await actions.pullRequests.projectAt(projectId, cwd);
      const parent = on === undefined ? {} : { on: findParent(world, on, project) };
      const { sessionId, notes } = await actions.createSession({ ...body, ...parent }, context);
      return { ...(await detail(sessionId)), notes };
    },
    "GET /api/sessions/:id": async ({ params: { id } }) => {
      await engine.refresh(id);
      return detail(id);
    },
    "GET /api/sessions/:id/status": async ({ params: { id } }) => {
      await engine.refresh(id);
      const session = findSession(world, id);
      const { state, status, evidence } = deriveShown(session, world, { changes: pullRequestsOf(world, id) });
      const { agent, title, branch, workspace } = session;
      return {
        agent: agent.plugin,
        state,
        status,
        evidence,
        currentTask: title,
        branch,
        workspacePath: workspace.path,
      };
    },
    "DELETE /api/sessions/:id": async ({ params: { id }, body: { wait = false }, context }) => {
      await actions.stopSession(id, { wait }, context);
      return detail(id);
    },
    "POST /api/sessions/:id/restore": async ({ params: { id }, body, context }) => {
      await actions.restoreSession(id, body, context);
      return detail(id);
    },
    "POST /api/sessions/:id/runtime": async ({ params: { id }, body, context }) => {
      await actions.moveSession(id, body.runtime, context);
      return detail(id);
    },
  };
}
