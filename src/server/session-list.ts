import type { ChangeState } from "../core/change/state.ts";
import { dayOf } from "../core/cost/usage.ts";
import type { SessionState } from "../core/session/state.ts";
import { listBusy } from "../core/slot.ts";
import type { Api } from "../protocol/api.ts";
import { cutPage, type PageQuery } from "../protocol/cut-page.ts";
import type { SessionView } from "../protocol/views/session.ts";
import type { EngineView } from "./actions.ts";
import { keepBytes } from "./answer-bytes.ts";
import { pullRequestsBySession, pullRequestsOf } from "./find-pull-request.ts";
import { toFleetView } from "./fleet-view.ts";
import { progressOf, toSessionView } from "./views.ts";

type ListAnswer = Api["GET /api/sessions"]["out"];

export interface ListQuery extends PageQuery {
  readonly project?: string;
  /** Stopped ones too. */
  readonly all?: boolean;
}

type ListSources = Pick<EngineView, "world" | "lastPosition" | "revision">;

/** The dashboard, a terminal and a script each ask for their own part; more kinds of questions at once are rare. */
const MAX_KEPT = 4;

interface Kept {
  readonly answer: ListAnswer;
  readonly facts: string;
  /** Their checks run, so that the answer changes as time passes. */
  readonly running: readonly ChangeState[];
}

/** Answers with the sessions; the same object as before, with its bytes, while nothing in it changed. */
export function createSessionList(engine: ListSources, now: () => number = Date.now): (query: ListQuery) => ListAnswer {
  const kept = new Map<string, Kept>();
  return (query) => {
    // The archive is large, and seldom asked for.
    if (query.all === true) return listAll(engine, query, now());
    const key = JSON.stringify([query.project, query.limit, query.cursor]);
    const known = kept.get(key);
    kept.delete(key);
    const isCurrent = known !== undefined && factsBehind(engine, known.running, now()) === known.facts;
    const current = isCurrent ? known : listOpen(engine, query, now());
    kept.set(key, current);
    for (const oldest of kept.keys()) {
      if (kept.size <= MAX_KEPT) break;
      kept.delete(oldest);
    }
    return current.answer;
  };
}

/** All that an answer depends on: what was committed or observed, the day that costs are counted for, and how far checks are. */
function factsBehind(engine: ListSources, running: readonly ChangeState[], now: number): string {
  const progress = running.flatMap((change) => progressOf(change, engine.world));
  return [engine.lastPosition(), engine.revision(), dayOf(now), ...progress].join("\n");
}

function listOpen(engine: ListSources, query: ListQuery, now: number): Kept {
  const { world } = engine;
  const busy = listBusy(world);
  const running: ChangeState[] = [];
  const views = sorted([...world.activeSessions(query.project)].filter(({ phase }) => phase !== "stopped")).map(
    (session) => {
      const changes = pullRequestsOf(world, session.id);
      running.push(...changes.filter((change) => progressOf(change, world).length > 0));
      return toSessionView(session, world, { changes, busy });
    },
  );
  return {
    answer: keepBytes(toAnswer(engine, views, { query, now })),
    facts: factsBehind(engine, running, now),
    running,
  };
}

function listAll(engine: ListSources, query: ListQuery, now: number): ListAnswer {
  const { world } = engine;
  const changes = pullRequestsBySession(world);
  const busy = listBusy(world);
  const sessions = [...world.sessions(), ...world.archive.sessions({ projectId: query.project })].filter(
    ({ projectId }) => (query.project ?? projectId) === projectId,
  );
  const views = sorted(sessions).map((session) =>
    toSessionView(session, world, { changes: changes.get(session.id) ?? [], busy }),
  );
  return toAnswer(engine, views, { query, now });
}

function sorted(sessions: SessionState[]): readonly SessionState[] {
  return sessions.sort((a, b) => a.createdAt - b.createdAt);
}

function toAnswer(
  engine: ListSources,
  views: readonly SessionView[],
  { query, now }: { readonly query: ListQuery; readonly now: number },
): ListAnswer {
  const fleet = toFleetView(engine.world, { project: query.project ?? null, position: engine.lastPosition(), now });
  return { ...cutPage(views, query, ({ id }) => id), fleet };
}
