import { AoError } from "../../core/errors.ts";
import type { World } from "../../core/world.ts";
import type { SessionView } from "../../protocol/views/session.ts";
import type { Actions } from "../actions.ts";
import type { App } from "../app.ts";
import { CreateSession, Move, Restore, readBody, Wait } from "../bodies.ts";
import { pullRequestsBySession, pullRequestsOf } from "../find-pull-request.ts";
import { findSession } from "../find-session.ts";
import { toFleetView } from "../fleet-view.ts";
import { setFields } from "../set-fields.ts";
import { deriveShown, toSessionDetail, toSessionView } from "../views.ts";

/** Sessions as a whole: list, show, create, stop, restore, move. */
export function addSessionRoutes(app: App, actions: Actions): void {
  addListRoute(app, actions);
  addShowRoutes(app, actions);
  addSteeringRoutes(app, actions);
}

function addListRoute(app: App, { engine }: Actions): void {
  const { world } = engine;
  app.get("/api/sessions", (c) => {
    const { project, all } = c.req.query();
    if (project !== undefined && world.project(project) === undefined) {
      throw new AoError({
        code: "project-unknown",
        message: `There is no project "${project}".`,
        hint: "`ao projects` lists them.",
      });
    }
    const data = all === "true" ? listAll(world, project) : listOpen(world, project);
    const fleet = toFleetView(world, { project: project ?? null, position: engine.lastPosition() });
    return c.json({ data, fleet });
  });
}

function addShowRoutes(app: App, { engine, pullRequests }: Actions): void {
  const { world } = engine;

  app.get("/api/sessions/:id", async (c) => {
    const { id } = findSession(world, c.req.param("id"));
    await engine.refresh(id);
    return c.json(await toSessionDetail(findSession(world, id), world, pullRequests.textOf));
  });

  app.get("/api/sessions/:id/status", async (c) => {
    const { id } = findSession(world, c.req.param("id"));
    await engine.refresh(id);
    const session = findSession(world, id);
    const now = deriveShown(session, world, pullRequestsOf(world, id));
    return c.json({
      agent: session.agent.plugin,
      state: now.state,
      status: now.status,
      evidence: now.evidence,
      currentTask: session.title,
      branch: session.branch,
      workspacePath: session.workspace.path,
    });
  });
}

function addSteeringRoutes(app: App, actions: Actions): void {
  const { world } = actions.engine;
  const detail = (id: string) => toSessionDetail(findSession(world, id), world, actions.pullRequests.textOf);

  app.post("/api/sessions", async (c) => {
    const body = setFields(await readBody(c.req, CreateSession));
    const { sessionId, notes } = await actions.createSession(body, { key: c.req.header("idempotency-key") });
    return c.json({ ...(await detail(sessionId)), notes }, 201);
  });

  app.delete("/api/sessions/:id", async (c) => {
    const { wait = false } = await readBody(c.req, Wait);
    const { id } = findSession(world, c.req.param("id"));
    await actions.stopSession(id, { wait }, { key: c.req.header("idempotency-key") });
    return c.json(await detail(id));
  });

  app.post("/api/sessions/:id/restore", async (c) => {
    const body = setFields(await readBody(c.req, Restore));
    const { id } = findSession(world, c.req.param("id"));
    await actions.restoreSession(id, body, { key: c.req.header("idempotency-key") });
    return c.json(await detail(id));
  });

  app.post("/api/sessions/:id/runtime", async (c) => {
    const { runtime } = await readBody(c.req, Move);
    const { id } = findSession(world, c.req.param("id"));
    await actions.moveSession(id, runtime, { key: c.req.header("idempotency-key") });
    return c.json(await detail(id), 202);
  });
}

function listOpen(world: World, project: string | undefined): readonly SessionView[] {
  return [...world.activeSessions(project)]
    .filter((session) => session.phase !== "stopped")
    .sort((a, b) => a.createdAt - b.createdAt)
    .map((session) => toSessionView(session, world));
}

function listAll(world: World, project: string | undefined): readonly SessionView[] {
  const changes = pullRequestsBySession(world);
  return [...world.sessions(), ...world.archive.sessions({ projectId: project })]
    .filter(({ projectId }) => (project ?? projectId) === projectId)
    .sort((a, b) => a.createdAt - b.createdAt)
    .map((session) => toSessionView(session, world, changes.get(session.id) ?? []));
}
