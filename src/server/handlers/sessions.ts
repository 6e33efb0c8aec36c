import { listBusy } from "../../core/slot.ts";
import type { World } from "../../core/world.ts";
import type { SESSION_CALLS } from "../../protocol/calls/sessions.ts";
import { cutPage } from "../../protocol/cut-page.ts";
import type { SessionDetailView, SessionView } from "../../protocol/views/session.ts";
import type { Actions } from "../actions.ts";
import { requireProject } from "../find-project.ts";
import { pullRequestsBySession, pullRequestsOf } from "../find-pull-request.ts";
import { findSession } from "../find-session.ts";
import { toFleetView } from "../fleet-view.ts";
import type { Handlers } from "../handler.ts";
import { deriveShown, toSessionDetail, toSessionView } from "../views.ts";

/** Sessions as a whole: list, show, create, stop, restore, move. */
export function createSessionHandlers(actions: Actions): Handlers<keyof typeof SESSION_CALLS> {
  const { engine } = actions;
  const { world } = engine;
  const detail = (id: string): Promise<SessionDetailView> =>
    toSessionDetail(findSession(world, id), world, actions.pullRequests.textOf);
  return {
    "GET /api/sessions": ({ query: { project, all, ...paging } }) => {
      if (project !== undefined) requireProject(world, project);
      const data = all === true ? listAll(world, project) : listOpen(world, project);
      const fleet = toFleetView(world, { project: project ?? null, position: engine.lastPosition() });
      return { ...cutPage(data, paging, ({ id }) => id), fleet };
    },
    "POST /api/sessions": async ({ body, context }) => {
      const { sessionId, notes } = await actions.createSession(body, context);
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

function listOpen(world: World, project: string | undefined): readonly SessionView[] {
  const busy = listBusy(world);
  return [...world.activeSessions(project)]
    .filter((session) => session.phase !== "stopped")
    .sort((a, b) => a.createdAt - b.createdAt)
    .map((session) => toSessionView(session, world, { busy }));
}

function listAll(world: World, project: string | undefined): readonly SessionView[] {
  const changes = pullRequestsBySession(world);
  const busy = listBusy(world);
  return [...world.sessions(), ...world.archive.sessions({ projectId: project })]
    .filter(({ projectId }) => (project ?? projectId) === projectId)
    .sort((a, b) => a.createdAt - b.createdAt)
    .map((session) => toSessionView(session, world, { changes: changes.get(session.id) ?? [], busy }));
}
