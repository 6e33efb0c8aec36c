import type { StoredEvent } from "../../ports/store.ts";
import type { SESSION_WORK_CALLS } from "../../protocol/calls/session-work.ts";
import { cutPage } from "../../protocol/cut-page.ts";
import type { EventView } from "../../protocol/views/event.ts";
import type { Actions } from "../actions.ts";
import { toSessionCost } from "../costs.ts";
import { createNumbers } from "../current-number.ts";
import { toEventView } from "../event-text.ts";
import { pullRequestsOf } from "../find-pull-request.ts";
import { findSession } from "../find-session.ts";
import type { Handlers } from "../handler.ts";
import type { PassedThrough } from "../passed-through.ts";
import { toPullRequestView } from "../pull-request-views.ts";
import { readTimeline, streamsOf } from "../timeline.ts";
import { createTranscripts } from "../transcript/transcripts.ts";
import { readOrWait } from "../wait-for-session.ts";
import { createTranscriptHandler } from "./transcript.ts";

const TIMELINE_LENGTH = 1000;

/** The work of a session: its timeline, conversation and cost, and committing what it left. */
export function createWorkHandlers(
  actions: Actions,
): Handlers<Exclude<keyof typeof SESSION_WORK_CALLS, PassedThrough>> {
  const { engine } = actions;
  const { world } = engine;
  return {
    "POST /api/sessions/:id/commit": async ({ params: { id }, body: { message, now = false } }) => {
      const { branch } = findSession(world, id);
      const done = await actions.commit(id, { message, now });
      const open = pullRequestsOf(world, id).find((change) => change.phase === "open");
      const pullRequest = open === undefined ? null : toPullRequestView(open, world);
      return { sessionId: id, branch, ...done, pullRequest };
    },
    "GET /api/sessions/:id/timeline": async ({ params: { id }, query: { internal = false, ...paging } }) => {
      const isNewest = paging.limit === undefined && paging.cursor === undefined;
      const length = isNewest ? { count: TIMELINE_LENGTH } : {};
      const events = await readTimeline(actions.store, streamsOf(world, id), { internal, ...length });
      const numberOf = createNumbers(world);
      const toView = (event: StoredEvent): EventView => toEventView(event, numberOf);
      if (isNewest) return { data: events.map(toView) };
      const { data, ...rest } = cutPage(events, paging, ({ position }) => String(position));
      return { data: data.map(toView), ...rest };
    },
    "GET /api/sessions/:id/transcript": createTranscriptHandler(actions, createTranscripts(actions)),
    "GET /api/sessions/:id/output": ({ params: { id }, query: { wait = 0, ...place }, signal }) =>
      readOrWait(actions, {
        ...{ id, waitMs: wait, signal },
        read: () => actions.readOutput(id, place),
        isNews: ({ text, over }) => text !== "" || over,
      }),
    "GET /api/sessions/:id/cost": async ({ params: { id }, query: { since = null } }) => {
      await engine.refresh(id);
      return toSessionCost(findSession(world, id), world, since);
    },
  };
}
