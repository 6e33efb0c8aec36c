import type { Context } from "hono";
import type { ChangeState } from "../../core/change/state.ts";
import type { ReviewBody } from "../../protocol/bodies/pull-request.ts";
import type { Actions } from "../actions.ts";
import type { App } from "../app.ts";
import { readBody } from "../bodies.ts";
import { requireOpenPullRequest } from "../find-pull-request.ts";
import { findSession } from "../find-session.ts";
import { AgentReply, Approve, Merge, OpenPullRequest, Review } from "../pull-request-bodies.ts";
import { toPullRequestDetail } from "../pull-request-views.ts";
import { setFields } from "../set-fields.ts";
import { calledBy } from "./pull-requests.ts";

/** The pull request of a session, for those who know the session. */
export function addSessionPullRequestRoutes(app: App, actions: Actions): void {
  const { pullRequests } = actions;
  const world = actions.engine.world;
  const session = (c: Context) => findSession(world, c.req.param("id") ?? "");
  const openKey = (c: Context): string => requireOpenPullRequest(world, session(c)).key;
  const answer = async (c: Context, key: string, status: 200 | 201 = 200): Promise<Response> =>
    c.json(await toPullRequestDetail(world.change(key) as ChangeState, world, pullRequests.textOf), status);

  app.post("/api/sessions/:id/pull-request", async (c) => {
    const body = await readBody(c.req, OpenPullRequest);
    const byAgent = c.get("principal").kind === "session";
    const { key } = await pullRequests.open(session(c).id, { ...body, byAgent }, calledBy(c));
    return answer(c, key, 201);
  });
  app.post("/api/sessions/:id/reply", async (c) => {
    const { thread, text } = await readBody(c.req, AgentReply);
    const key = openKey(c);
    await pullRequests.reply(key, { thread, text, author: session(c).id, byAgent: true }, calledBy(c));
    return answer(c, key);
  });
  app.post("/api/sessions/:id/approve", async (c) => {
    const body = await readBody(c.req, Approve);
    const key = openKey(c);
    await pullRequests.review(key, { verdict: "approve", ...setFields(body) } as ReviewBody, calledBy(c));
    return answer(c, key);
  });
  app.post("/api/sessions/:id/review", async (c) => {
    const body = await readBody(c.req, Review);
    const key = openKey(c);
    await pullRequests.review(key, setFields(body) as ReviewBody, calledBy(c));
    return answer(c, key);
  });
  app.post("/api/sessions/:id/merge", async (c) => {
    const { strategy, wait } = await readBody(c.req, Merge);
    const key = openKey(c);
    await pullRequests.merge(key, { strategy: strategy ?? null, wait: wait === true }, calledBy(c));
    return answer(c, key);
  });
  app.delete("/api/sessions/:id/merge", async (c) => {
    const key = openKey(c);
    await pullRequests.cancelMerge(key, calledBy(c));
    return answer(c, key);
  });
}
