import { AoError } from "../../core/errors.ts";
import type { SessionState } from "../../core/session/state.ts";
import { deriveWaitReason } from "../../core/session/wait-reason.ts";
import { isPaused, type World } from "../../core/world.ts";
import type { Actions } from "../actions.ts";
import type { App } from "../app.ts";
import { Answer, Commit, CreateSession, Move, Nothing, Restore, readBody, SendMessage, Wait } from "../bodies.ts";
import { toEventView } from "../event-text.ts";
import { pullRequestsBySession, pullRequestsOf } from "../find-pull-request.ts";
import { findSession } from "../find-session.ts";
import { toFleetView } from "../fleet-view.ts";
import { toPullRequestView } from "../pull-request-views.ts";
import { setFields } from "../set-fields.ts";
import { readTimeline, streamsOf } from "../timeline.ts";
import { deriveShown, toMessageView, toSessionDetail, toSessionView } from "../views.ts";
import { waitUntil } from "../wait-until.ts";

const PREPARE_LIMIT_MS = 15 * 60_000;
const STOP_LIMIT_MS = 2 * 60_000;
const MESSAGE_LIMIT_MS = 60_000;
const TIMELINE_LENGTH = 1000;

/** Sessions: list, create, look, talk, stop, restore. */
export function addSessionRoutes(app: App, actions: Actions): void {
  const { engine } = actions;
  const world = engine.loop.world.view;
  const find = (written: string): SessionState => findSession(world, written);
  const detail = (id: string) => toSessionDetail(find(id), world, actions.pullRequests.textOf);

  app.get("/api/sessions", (c) => {
    const { project, all } = c.req.query();
    if (project !== undefined && world.project(project) === undefined) {
      throw new AoError({
        code: "project-unknown",
        message: `There is no project "${project}".`,
        hint: "`ao projects` lists them.",
      });
    }
    const changes = pullRequestsBySession(world);
    const data = [...world.sessions()]
      .filter(
        (session) =>
          (project === undefined || session.projectId === project) && (all === "true" || session.phase !== "stopped"),
      )
      .sort((a, b) => a.createdAt - b.createdAt)
      .map((session) => toSessionView(session, world, changes.get(session.id) ?? []));
    const fleet = toFleetView(world, { project: project ?? null, position: engine.loop.lastPosition() });
    return c.json({ data, fleet });
  });

  app.post("/api/sessions", async (c) => {
    const body = await readBody(c.req, CreateSession);
    const { sessionId, notes } = await actions.createSession(setFields(body), { key: c.req.header("idempotency-key") });
    if (body.wait === true) {
      await waitUntil(engine, PREPARE_LIMIT_MS, () => isPrepared(world.session(sessionId)));
    }
    return c.json({ ...(await detail(sessionId)), notes }, 201);
  });

  app.get("/api/sessions/:id", async (c) => {
    await engine.refresh(find(c.req.param("id")).id);
    return c.json(await detail(c.req.param("id")));
  });

  app.get("/api/sessions/:id/status", async (c) => {
    const { id } = find(c.req.param("id"));
    await engine.refresh(id);
    const session = find(id);
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

  app.delete("/api/sessions/:id", async (c) => {
    const { wait } = await readBody(c.req, Wait);
    const { id } = find(c.req.param("id"));
    await engine.submit({
      input: { type: "session.stop", sessionId: id, reason: "asked for" },
      key: c.req.header("idempotency-key"),
    });
    if (wait === true) await waitUntil(engine, STOP_LIMIT_MS, () => world.session(id)?.phase === "stopped");
    return c.json(await detail(id));
  });

  app.post("/api/sessions/:id/restore", async (c) => {
    const { wait, now = false } = await readBody(c.req, Restore);
    const { id } = find(c.req.param("id"));
    await engine.refresh(id);
    await engine.submit({
      input: { type: "session.restore", sessionId: id, now },
      key: c.req.header("idempotency-key"),
    });
    if (wait === true) await waitUntil(engine, PREPARE_LIMIT_MS, () => isPrepared(world.session(id)));
    return c.json(await detail(id));
  });

  app.post("/api/sessions/:id/message", async (c) => {
    const { content } = await readBody(c.req, SendMessage);
    const { id } = find(c.req.param("id"));
    const sent = await actions.sendMessage(id, content, { key: c.req.header("idempotency-key") });
    return c.json({ ...sent, sessionId: id }, 202);
  });

  app.post("/api/sessions/:id/interrupt", async (c) => {
    await readBody(c.req, Nothing);
    const { id } = find(c.req.param("id"));
    await engine.refresh(id);
    const asked = await actions.interrupt(id, { key: c.req.header("idempotency-key") });
    return c.json({ ...asked, sessionId: id }, 202);
  });

  app.post("/api/sessions/:id/commit", async (c) => {
    const { message, now = false } = await readBody(c.req, Commit);
    const { id, branch } = find(c.req.param("id"));
    await engine.refresh(id);
    const done = await actions.commit(id, { message, now });
    const open = pullRequestsOf(world, id).find((change) => change.phase === "open");
    const pullRequest = open === undefined ? null : toPullRequestView(open, world);
    return c.json({ sessionId: id, branch, ...done, pullRequest }, 201);
  });

  app.post("/api/sessions/:id/runtime", async (c) => {
    const { runtime } = await readBody(c.req, Move);
    const { id } = find(c.req.param("id"));
    await actions.moveSession(id, runtime, { key: c.req.header("idempotency-key") });
    return c.json(await detail(id), 202);
  });

  app.get("/api/sessions/:id/messages/:mid", async (c) => {
    const { id } = find(c.req.param("id"));
    const mid = c.req.param("mid");
    const limit = Math.min(Number(c.req.query("wait") ?? 0) || 0, MESSAGE_LIMIT_MS);
    if (limit > 0) await waitUntil(engine, limit, () => isSettled(world, id, mid));
    const session = find(id);
    const message = session.messages.find((candidate) => candidate.id === mid);
    if (message === undefined) {
      throw new AoError({
        code: "message-unknown",
        message: `Session ${id} has no message ${mid}.`,
        hint: "Old ones are in `ao logs --timeline`.",
      });
    }
    return c.json(toMessageView(message, session, world));
  });

  for (const path of ["/api/sessions/:id/permission", "/api/sessions/:id/answer"] as const) {
    app.post(path, async (c) => {
      const given = await readBody(c.req, Answer);
      const { id } = find(c.req.param("id"));
      return c.json(await actions.answer(id, given, { key: c.req.header("idempotency-key") }));
    });
  }

  app.get("/api/sessions/:id/timeline", async (c) => {
    const { id } = find(c.req.param("id"));
    const internal = c.req.query("internal") === "true";
    const events = await readTimeline(actions.store, streamsOf(world, id), { internal });
    return c.json({ data: events.slice(-TIMELINE_LENGTH).map(toEventView) });
  });

  app.get("/api/sessions/:id/diff", async (c) => {
    const { id } = find(c.req.param("id"));
    await engine.refresh(id);
    return c.json({ diff: await actions.diff(id) });
  });
  app.get("/api/sessions/:id/output", async (c) =>
    c.json(await actions.output(find(c.req.param("id")).id, c.req.query("cursor"))),
  );
  app.get("/api/sessions/:id/attach", async (c) => c.json(await actions.attach(find(c.req.param("id")).id)));
}

// Ready, failed, or waiting for room: in each case the caller can be told something definite.
function isPrepared(session: SessionState | undefined): boolean {
  if (session === undefined || session.phase !== "open") return true;
  const { state } = session.workspace;
  return state !== "none" && state !== "creating";
}

// Delivered or beyond delivery; or queued for a reason that only time or a person can take away.
function isSettled(world: World, sessionId: string, messageId: string): boolean {
  const session = world.session(sessionId);
  const message = session?.messages.find((candidate) => candidate.id === messageId);
  if (session === undefined || message === undefined) return true;
  switch (message.status) {
    case "queued":
      return deriveWaitReason(session, message, { paused: isPaused(world, session.projectId) })?.lasts === true;
    case "started":
      return message.reason !== null;
    case "written":
      return session.input === "terminal" || message.reason !== null;
    default:
      return true;
  }
}
