import { changesNumbered } from "../../core/change/key.ts";
import type { ChangeState } from "../../core/change/state.ts";
import { AoError } from "../../core/errors.ts";
import { changeStream } from "../../core/stream.ts";
import type { World } from "../../core/world.ts";
import type { PULL_REQUEST_CALLS } from "../../protocol/calls/pull-requests.ts";
import { cutPage } from "../../protocol/cut-page.ts";
import type { PullRequestDetailView, PullRequestView } from "../../protocol/views/pull-request.ts";
import type { Actions } from "../actions.ts";
import { createNumbers } from "../current-number.ts";
import { toEventView } from "../event-text.ts";
import { requireProject } from "../find-project.ts";
import { findPullRequest } from "../find-pull-request.ts";
import type { Handlers } from "../handler.ts";
import { toPullRequestDetail, toPullRequestView } from "../pull-request-views.ts";
import { readTimeline } from "../timeline.ts";

type PullRequestCall = keyof typeof PULL_REQUEST_CALLS;
type ReadingCall = Extract<PullRequestCall, `GET ${string}`>;

/** Pull requests: list, show, review, merge. */
export function createPullRequestHandlers(actions: Actions): Handlers<PullRequestCall> {
  return { ...createReading(actions), ...createWriting(actions) };
}

function createReading({ engine, store, pullRequests }: Actions): Handlers<ReadingCall> {
  const { world } = engine;
  const show = (change: ChangeState): Promise<PullRequestDetailView> =>
    toPullRequestDetail(change, world, pullRequests.textOf);
  return {
    "GET /api/pull-requests": ({ query: { project, state = "open", ...paging } }) => {
      if (project !== undefined) requireProject(world, project);
      return cutPage(listPullRequests(world, { project, state }), paging, ({ key }) => key);
    },
    "GET /api/pull-requests/find": async ({ query: { ref, project, cwd } }) =>
      show(findPullRequest(world, ref, await pullRequests.projectAt(project, cwd))),
    "GET /api/pull-requests/:project/:number": ({ params }) => show(requireChange(world, params)),
    "GET /api/pull-requests/:project/:number/diff": async ({ params, query: { since = null } }) => ({
      diff: await pullRequests.diff(requireChange(world, params).key, since),
    }),
    "GET /api/pull-requests/:project/:number/checks/:check/log": ({ params, query: { cursor = null } }) =>
      pullRequests.checkLog(requireChange(world, params).key, params.check, cursor),
    "GET /api/pull-requests/:project/:number/timeline": async ({ params, query: { internal = false, ...paging } }) => {
      const events = await readTimeline(store, [changeStream(requireChange(world, params).key)], { internal });
      const numberOf = createNumbers(world);
      const views = events.map((event) => toEventView(event, numberOf));
      return cutPage(views, paging, ({ position }) => String(position));
    },
  };
}

function createWriting({ engine, pullRequests }: Actions): Handlers<Exclude<PullRequestCall, ReadingCall>> {
  const { world } = engine;
  /** Performs an action on a pull request, and answers with the result. */
  const on = async (params: PullRequestParams, act: (key: string) => Promise<void>): Promise<PullRequestDetailView> => {
    const { key } = requireChange(world, params);
    await act(key);
    return toPullRequestDetail(world.change(key) as ChangeState, world, pullRequests.textOf);
  };
  return {
    "POST /api/pull-requests/:project/:number/review": ({ params, body, context }) =>
      on(params, (key) => pullRequests.review(key, body, context)),
    "POST /api/pull-requests/:project/:number/merge": ({
      params,
      body: { strategy = null, override = null, wait = false },
      context,
    }) => on(params, (key) => pullRequests.merge(key, { strategy, override, wait }, context)),
    "DELETE /api/pull-requests/:project/:number/merge": ({ params, context }) =>
      on(params, (key) => pullRequests.cancelMerge(key, context)),
    "POST /api/pull-requests/:project/:number/publish": ({ params, context }) =>
      on(params, (key) => pullRequests.publish(key, context)),
    "POST /api/pull-requests/:project/:number/base": ({ params, body: { base }, context }) =>
      on(params, (key) => pullRequests.retarget(key, base, context)),
    "POST /api/pull-requests/:project/:number/close": ({ params, body: { reason = null }, context }) =>
      on(params, (key) => pullRequests.close(key, reason, context)),
    "POST /api/pull-requests/:project/:number/rerun": ({ params, body: { check = null }, context }) =>
      on(params, (key) => pullRequests.recheck(key, check, context)),
    "POST /api/pull-requests/:project/:number/labels": ({ params, body: { add = [], remove = [] }, context }) =>
      on(params, (key) => pullRequests.label(key, { add, remove }, context)),
    "POST /api/pull-requests/:project/:number/threads/:thread/reply": ({ params, body, context }) => {
      const { text, author = null } = body;
      const reply = { thread: params.thread, text, author, byAgent: false };
      return on(params, (key) => pullRequests.reply(key, reply, context));
    },
    "POST /api/pull-requests/:project/:number/threads/:thread/resolve": ({ params, body, context }) =>
      on(params, (key) => pullRequests.resolve(key, params.thread, body.resolved ?? true, context)),
  };
}

function listPullRequests(
  world: World,
  { project, state }: { readonly project: string | undefined; readonly state: string },
): readonly PullRequestView[] {
  const archived = state === "open" ? [] : world.archive.changes({ projectId: project });
  return [...world.changes(), ...archived]
    .filter(
      (change) => (project ?? change.projectId) === change.projectId && (state === "all" || state === change.phase),
    )
    .sort((a, b) => a.openedAt - b.openedAt || a.number - b.number)
    .map((change) => toPullRequestView(change, world));
}

interface PullRequestParams {
  readonly project: string;
  /** What follows the project in its key, which is exact; else its number. */
  readonly number: string;
}

function requireChange(world: World, { project, number }: PullRequestParams): ChangeState {
  const key = `${project}/${number}`;
  const change = world.change(key) ?? changesNumbered(world, project, Number(number))[0];
  if (change !== undefined) return change;
  throw new AoError({
    code: "not-found",
    message: `There is no pull request ${key}.`,
    hint: "`ao pr list` lists them.",
  });
}
