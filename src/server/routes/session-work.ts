import type { Actions } from "../actions.ts";
import type { App } from "../app.ts";
import { Commit, readBody } from "../bodies.ts";
import { toEventView } from "../event-text.ts";
import { pullRequestsOf } from "../find-pull-request.ts";
import { findSession } from "../find-session.ts";
import { toPullRequestView } from "../pull-request-views.ts";
import { readTimeline, streamsOf } from "../timeline.ts";

const TIMELINE_LENGTH = 1000;

/** What a session has done: its timeline, diff and output, the way to its terminal, and a commit of what it left. */
export function addWorkRoutes(app: App, actions: Actions): void {
  const { engine } = actions;
  const { world } = engine;

  app.post("/api/sessions/:id/commit", async (c) => {
    const { message, now = false } = await readBody(c.req, Commit);
    const { id, branch } = findSession(world, c.req.param("id"));
    const done = await actions.commit(id, { message, now });
    const open = pullRequestsOf(world, id).find((change) => change.phase === "open");
    const pullRequest = open === undefined ? null : toPullRequestView(open, world);
    return c.json({ sessionId: id, branch, ...done, pullRequest }, 201);
  });

  app.get("/api/sessions/:id/timeline", async (c) => {
    const { id } = findSession(world, c.req.param("id"));
    const internal = c.req.query("internal") === "true";
    const events = await readTimeline(actions.store, streamsOf(world, id), { internal });
    return c.json({ data: events.slice(-TIMELINE_LENGTH).map(toEventView) });
  });

  app.get("/api/sessions/:id/diff", async (c) => {
    const { id } = findSession(world, c.req.param("id"));
    await engine.refresh(id);
    return c.json({ diff: await actions.diff(id) });
  });

  app.get("/api/sessions/:id/output", async (c) => {
    const { id } = findSession(world, c.req.param("id"));
    return c.json(await actions.output(id, c.req.query("cursor")));
  });

  app.get("/api/sessions/:id/attach", async (c) => {
    const { id } = findSession(world, c.req.param("id"));
    return c.json(await actions.attach(id));
  });
}
