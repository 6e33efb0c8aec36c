import type { Context } from "hono";
import type { ChangeState } from "../../core/change/state.ts";
import { AoError } from "../../core/errors.ts";
import { changeStream } from "../../core/stream.ts";
import type { ReviewBody } from "../../protocol/bodies/pull-request.ts";
import type { Actions } from "../actions.ts";
import type { App } from "../app.ts";
import { readBody } from "../bodies.ts";
import type { CallContext } from "../call-context.ts";
import { toEventView } from "../event-text.ts";
import { findPullRequest } from "../find-pull-request.ts";
import { Close, Labels, Merge, Reply, Rerun, Resolve, Review } from "../pull-request-bodies.ts";
import { toPullRequestDetail, toPullRequestView } from "../pull-request-views.ts";
import { setFields } from "../set-fields.ts";
import { readTimeline } from "../timeline.ts";

const ONE = "/api/pull-requests/:project/:number";
const STATES = ["open", "merged", "closed", "all"];

/** Pull requests: list, look, review, merge. */
export function addPullRequestRoutes(app: App, actions: Actions): void {
  addReading(app, actions);
  const { pullRequests } = actions;
  const world = actions.engine.world;
  const key = (c: Context): string => requireChange(c, world).key;
  const answer = async (c: Context, changed: string): Promise<Response> =>
    c.json(await toPullRequestDetail(world.change(changed) as ChangeState, world, pullRequests.textOf));

  app.post(`${ONE}/review`, async (c) => {
    const body = await readBody(c.req, Review);
    await pullRequests.review(key(c), setFields(body) as ReviewBody, calledBy(c));
    return answer(c, key(c));
  });
  app.post(`${ONE}/merge`, async (c) => {
    const { strategy, wait } = await readBody(c.req, Merge);
    await pullRequests.merge(key(c), { strategy: strategy ?? null, wait: wait === true }, calledBy(c));
    return answer(c, key(c));
  });
  app.delete(`${ONE}/merge`, async (c) => {
    await pullRequests.cancelMerge(key(c), calledBy(c));
    return answer(c, key(c));
  });
  app.post(`${ONE}/close`, async (c) => {
    const { reason } = await readBody(c.req, Close);
    await pullRequests.close(key(c), reason ?? null, calledBy(c));
    return answer(c, key(c));
  });
  app.post(`${ONE}/rerun`, async (c) => {
    const { check } = await readBody(c.req, Rerun);
    await pullRequests.recheck(key(c), check ?? null, calledBy(c));
    return answer(c, key(c));
  });
  app.post(`${ONE}/labels`, async (c) => {
    const { add = [], remove = [] } = await readBody(c.req, Labels);
    await pullRequests.label(key(c), { add, remove }, calledBy(c));
    return answer(c, key(c));
  });
  app.post(`${ONE}/threads/:thread/reply`, async (c) => {
    const { text, author } = await readBody(c.req, Reply);
    const reply = { thread: c.req.param("thread"), text, author: author ?? null, byAgent: false };
    await pullRequests.reply(key(c), reply, calledBy(c));
    return answer(c, key(c));
  });
  app.post(`${ONE}/threads/:thread/resolve`, async (c) => {
    const { resolved } = await readBody(c.req, Resolve);
    await pullRequests.resolve(key(c), c.req.param("thread"), resolved ?? true, calledBy(c));
    return answer(c, key(c));
  });
}

function addReading(app: App, actions: Actions): void {
  const { pullRequests } = actions;
  const world = actions.engine.world;

  app.get("/api/pull-requests", (c) => {
    const { project, state = "open" } = c.req.query();
    if (!STATES.includes(state)) {
      throw new AoError({ code: "usage", message: `There is no state "${state}".`, hint: STATES.join(", ") });
    }
    if (project !== undefined && world.project(project) === undefined) {
      const message = `There is no project "${project}".`;
      throw new AoError({ code: "project-unknown", message, hint: "`ao projects` lists them." });
    }
    const archived = state === "open" ? [] : world.archive.changes({ projectId: project });
    const data = [...world.changes(), ...archived]
      .filter(
        (change) => (project ?? change.projectId) === change.projectId && (state === "all" || state === change.phase),
      )
      .sort((a, b) => a.openedAt - b.openedAt || a.number - b.number)
      .map((change) => toPullRequestView(change, world));
    return c.json({ data });
  });

  app.get("/api/pull-requests/find", async (c) => {
    const { ref = "", project, cwd } = c.req.query();
    const found = findPullRequest(world, ref, await pullRequests.projectAt(project, cwd));
    return c.json(await toPullRequestDetail(found, world, pullRequests.textOf));
  });

  app.get(ONE, async (c) => c.json(await toPullRequestDetail(requireChange(c, world), world, pullRequests.textOf)));
  app.get(`${ONE}/diff`, async (c) => c.json({ diff: await pullRequests.diff(requireChange(c, world).key) }));
  app.get(`${ONE}/checks/:check/log`, async (c) => {
    const written = c.req.query("cursor");
    const cursor = written === undefined ? null : Number(written);
    if (cursor !== null && !(Number.isSafeInteger(cursor) && cursor >= 0)) {
      const hint = "Give the `cursor` of an earlier answer, or none.";
      throw new AoError({ code: "usage", message: `"${written}" is not a cursor.`, hint });
    }
    return c.json(await pullRequests.checkLog(requireChange(c, world).key, c.req.param("check"), cursor));
  });
  app.get(`${ONE}/timeline`, async (c) => {
    const internal = c.req.query("internal") === "true";
    const events = await readTimeline(actions.store, [changeStream(requireChange(c, world).key)], { internal });
    return c.json({ data: events.map(toEventView) });
  });
}

/** What the actions may know of a request. */
export function calledBy(c: Context): CallContext {
  return { key: c.req.header("idempotency-key") };
}

function requireChange(c: Context, world: Parameters<typeof findPullRequest>[0]): ChangeState {
  const key = `${c.req.param("project")}/${c.req.param("number")}`;
  const change = world.change(key);
  if (change !== undefined) return change;
  throw new AoError({
    code: "not-found",
    message: `There is no pull request ${key}.`,
    hint: "`ao pr list` lists them.",
  });
}
