import type { ChangeState } from "../../core/change/state.ts";
import type { SESSION_PULL_REQUEST_CALLS } from "../../protocol/calls/pull-requests.ts";
import type { PullRequestDetailView } from "../../protocol/views/pull-request.ts";
import type { Actions } from "../actions.ts";
import { requireOpenPullRequest } from "../find-pull-request.ts";
import { findSession } from "../find-session.ts";
import type { Handlers } from "../handler.ts";
import { toPullRequestDetail } from "../pull-request-views.ts";

/** The pull request of a session, addressed by the session. */
export function createSessionPullRequestHandlers(actions: Actions): Handlers<keyof typeof SESSION_PULL_REQUEST_CALLS> {
  const { pullRequests } = actions;
  const world = actions.engine.world;
  const show = (key: string): Promise<PullRequestDetailView> =>
    toPullRequestDetail(world.change(key) as ChangeState, world, pullRequests.textOf);
  /** Performs an action on the session's open pull request, and answers with the result. */
  const onOpen = async (id: string, act: (key: string) => Promise<void>): Promise<PullRequestDetailView> => {
    const { key } = requireOpenPullRequest(world, findSession(world, id));
    await act(key);
    return show(key);
  };
  return {
    "GET /api/sessions/:id/pull-request": ({ params: { id } }) => onOpen(id, async () => undefined),
    "POST /api/sessions/:id/pull-request": async ({ params: { id }, body, principal, context }) => {
      const byAgent = principal.kind === "session";
      const { key } = await pullRequests.open(id, { ...body, byAgent }, context);
      return show(key);
    },
    "POST /api/sessions/:id/reply": ({ params: { id }, body, context }) =>
      onOpen(id, (key) => pullRequests.reply(key, { ...body, author: id, byAgent: true }, context)),
    "POST /api/sessions/:id/approve": ({ params: { id }, body, context }) =>
      onOpen(id, (key) => pullRequests.review(key, { verdict: "approve", ...body }, context)),
    "POST /api/sessions/:id/review": ({ params: { id }, body, context }) =>
      onOpen(id, (key) => pullRequests.review(key, body, context)),
    "POST /api/sessions/:id/merge": ({
      params: { id },
      body: { strategy = null, override = null, wait = false },
      context,
    }) => onOpen(id, (key) => pullRequests.merge(key, { strategy, override, wait }, context)),
    "DELETE /api/sessions/:id/merge": ({ params: { id }, context }) =>
      onOpen(id, (key) => pullRequests.cancelMerge(key, context)),
  };
}
