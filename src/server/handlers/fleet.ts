import { AoError } from "../../core/errors.ts";
import type { Need } from "../../core/need/need.ts";
import type { FLEET_CALLS } from "../../protocol/calls/fleet.ts";
import { firstCommand } from "../../protocol/command-of.ts";
import { cutPage } from "../../protocol/cut-page.ts";
import type { Actions } from "../actions.ts";
import { createActivityLog } from "../activity/activity-log.ts";
import { toActivityView } from "../activity/activity-view.ts";
import { WINDOW_MS } from "../activity/day-reader.ts";
import { toCapacityView } from "../capacity.ts";
import { listCosts } from "../costs.ts";
import { requireProject } from "../find-project.ts";
import type { Handlers } from "../handler.ts";
import { findEntry, type InboxEntry, listEntries } from "../inbox.ts";
import { showInbox } from "../question-view.ts";
import { listCollisions } from "../radar.ts";
import { createResolvedNeeds } from "../resolved-needs.ts";
import { toTime } from "../time.ts";
import { listTrains, toTrainView } from "../train.ts";

const DEFAULT_WINDOW_MS = 3 * 60 * 60_000;

/** What concerns all sessions: inbox, pause, activity, costs. */
export function createFleetHandlers(actions: Actions): Handlers<keyof typeof FLEET_CALLS> {
  const { world } = actions.engine;
  const entries = () => listEntries(world, actions.projectProblem);
  const activity = createActivityLog(world, actions.store);
  const resolved = createResolvedNeeds(world, actions.store);
  return {
    "GET /api/inbox": async ({ query: { show = "open" } }) => {
      const shown = entries().filter(({ view }) => view.state === show);
      return { data: await showInbox(shown, actions.pullRequests.textOf) };
    },
    "GET /api/inbox/resolved": async () => ({ data: await resolved(Date.now()) }),
    "POST /api/inbox/snooze": async ({ body, context }) => {
      const { view, need } = findEntry(entries(), body.id);
      const until = Date.parse(body.until);
      await actions.snooze({ id: view.id, projectId: view.projectId, occurrence: need.occurrence, until }, context);
      return { id: view.id, snoozedUntil: toTime(until) };
    },
    "POST /api/inbox/pass": async ({ body, context }) => {
      const { view, need } = findEntry(entries(), body.id);
      await actions.pullRequests.passOn(requireProblem({ view, need }, "cannot be passed on to an agent"), context);
      return { passed: true, id: view.id };
    },
    "POST /api/inbox/ack": async ({ body, context }) => {
      const { view, need } = findEntry(entries(), body.id);
      const problem = requireProblem({ view, need }, "stays in the inbox until it is dealt with");
      await actions.pullRequests.acknowledge(problem, context);
      return { acknowledged: true, id: view.id };
    },
    "POST /api/pause": async ({ body, context }) => {
      await actions.setPaused(true, body.project ?? null, context);
      return { paused: true };
    },
    "POST /api/resume": async ({ body, context }) => {
      await actions.setPaused(false, body.project ?? null, context);
      return { paused: false };
    },
    "GET /api/activity": async ({ query: { since, project = null } }) => {
      if (project !== null) requireProject(world, project);
      const now = Date.now();
      const from = since === undefined ? now - DEFAULT_WINDOW_MS : Date.parse(since);
      const tracks = await activity.read(now);
      return toActivityView(tracks, { world, since: Math.max(from, now - WINDOW_MS), now, project });
    },
    "GET /api/capacity": () => toCapacityView(world, { rssBytes: process.memoryUsage.rss() }),
    "GET /api/radar": ({ query: { project = null } }) => {
      if (project !== null) requireProject(world, project);
      return { data: listCollisions(world, project) };
    },
    "GET /api/train": ({ query: { project = null } }) => {
      if (project !== null) requireProject(world, project);
      return { data: listTrains(world, project) };
    },
    "POST /api/train/:project": async ({ params: { project }, body, context }) => {
      await actions.steerTrain(project, body, context);
      return toTrainView(world, requireProject(world, project));
    },
    "GET /api/costs": ({ query: { by = "session", project = null, since = null, ...paging } }) => {
      if (project !== null) requireProject(world, project);
      const costs = listCosts(world, { by, project, since });
      return { ...costs, ...cutPage(costs.data, paging, ({ key }) => key) };
    },
  };
}

function requireProblem({ view, need }: InboxEntry, otherwise: string): NonNullable<Need["problem"]> {
  if (need.problem !== null) return need.problem;
  throw new AoError({
    code: "conflict",
    message: `${view.id} ${otherwise}.`,
    hint: firstCommand(view.actions),
  });
}
