import type { ChangeState } from "../core/change/state.ts";
import { dayOf } from "../core/cost/usage.ts";
import type { SessionState } from "../core/session/state.ts";
import { listBusy } from "../core/slot.ts";
import type { Api } from "../protocol/api.ts";
import { cutPage, type PageQuery } from "../protocol/cut-page.ts";
import type { FleetView } from "../protocol/views/fleet.ts";
import type { SessionView } from "../protocol/views/session.ts";
import type { EngineView } from "./actions.ts";
import { keepBytes } from "./answer-bytes.ts";
import { groupBySession, pullRequestsBySession } from "./find-pull-request.ts";
import { toFleetView } from "./fleet-view.ts";
import { describeRunning, hasRunningCheck, toSessionView } from "./views.ts";

type ListAnswer = Api["GET /api/sessions"]["out"];

export interface ListQuery extends PageQuery {
  readonly project?: string;
  /** Stopped ones too. */
  readonly all?: boolean;
}

type EngineFacts = Pick<EngineView, "world" | "lastPosition" | "revision" | "warnings">;

interface ListSources extends EngineFacts {
  now(): number;
  fleetOf(project: string | null): FleetView;
}

/** The dashboard, a terminal and a script each query their own part; more kinds of queries at once are rare. */
const MAX_KEPT = 4;

interface Kept {
  readonly answer: ListAnswer;
  readonly facts: string;
  /** Those with running checks: the answer changes as time passes. */
  readonly running: readonly ChangeState[];
}

/** Answers with the sessions; the same object as before, with its bytes, while nothing in it changed. */
export function createSessionList(engine: EngineFacts, now: () => number = Date.now): (query: ListQuery) => ListAnswer {
  const kept = new Map<string, Kept>();
  const sources: ListSources = { ...engine, now, fleetOf: rememberFleet(engine, now) };
  return (query) => {
    // The archive is large, and rarely requested.
    if (query.all === true) return listAll(sources, query);
    const key = JSON.stringify([query.project, query.limit, query.cursor]);
    const known = kept.get(key);
    kept.delete(key);
    const isCurrent = known !== undefined && factsBehind(sources, known.running) === known.facts;
    const current = isCurrent ? known : listOpen(sources, query);
    kept.set(key, current);
    for (const oldest of kept.keys()) {
      if (kept.size <= MAX_KEPT) break;
      kept.delete(oldest);
    }
    return current.answer;
  };
}

/** The fleet's values change only with a commit, a warning or the day, however much agents report. */
function rememberFleet(
  { world, lastPosition, warnings: listWarnings }: EngineFacts,
  now: () => number,
): ListSources["fleetOf"] {
  let known: { readonly facts: string; readonly view: FleetView } | null = null;
  return (project) => {
    const position = lastPosition();
    const warnings = listWarnings();
    const facts = JSON.stringify([position, dayOf(now()), project, warnings]);
    if (known?.facts !== facts)
      known = { facts, view: toFleetView(world, { project, position, now: now(), warnings }) };
    return known.view;
  };
}

/** Everything an answer depends on: commits and observations, the day of the costs, the progress of checks, and warnings. */
function factsBehind(sources: ListSources, running: readonly ChangeState[]): string {
  const { world, lastPosition, revision, now, warnings } = sources;
  return `${lastPosition()} ${revision()} ${dayOf(now())} ${describeRunning(running, world)} ${warnings().join("\n")}`;
}

function listOpen(sources: ListSources, query: ListQuery): Kept {
  const { world } = sources;
  const busy = listBusy(world);
  const changes = groupBySession(world.changes());
  const open = [...world.activeSessions(query.project)].filter(({ phase }) => phase !== "stopped");
  const views = sorted(open).map((session) =>
    toSessionView(session, world, { changes: changes.get(session.id) ?? [], busy }),
  );
  const running = [...changes.values()].flat().filter(hasRunningCheck);
  return { answer: keepBytes(toAnswer(sources, views, query)), facts: factsBehind(sources, running), running };
}

function listAll(sources: ListSources, query: ListQuery): ListAnswer {
  const { world } = sources;
  const changes = pullRequestsBySession(world);
  const busy = listBusy(world);
  const sessions = [...world.sessions(), ...world.archive.sessions({ projectId: query.project })].filter(
    ({ projectId }) => (query.project ?? projectId) === projectId,
  );
  const views = sorted(sessions).map((session) =>
    toSessionView(session, world, { changes: changes.get(session.id) ?? [], busy }),
  );
  return toAnswer(sources, views, query);
}

function sorted(sessions: SessionState[]): readonly SessionState[] {
  return sessions.sort((a, b) => a.createdAt - b.createdAt);
}

function toAnswer({ fleetOf }: ListSources, views: readonly SessionView[], query: ListQuery): ListAnswer {
  return { ...cutPage(views, query, ({ id }) => id), fleet: fleetOf(query.project ?? null) };
}
