import { deriveCost, partsOf } from "../core/cost/cost.ts";
import { PRICES_DATE, pricesOf } from "../core/cost/list-prices.ts";
import type { PriceLists } from "../core/cost/prices.ts";
import { dayOf, type UsagePart } from "../core/cost/usage.ts";
import type { SessionState } from "../core/session/state.ts";
import type { World } from "../core/world.ts";
import type { CostGrouping, CostRowView, CostsView, CostView, SessionCostView } from "../protocol/views/cost.ts";
import { pullRequestsBySession } from "./find-pull-request.ts";

export interface CostQuery {
  readonly by: CostGrouping;
  readonly project: string | null;
  /** The first day that counts, in UTC; null: all. */
  readonly since: string | null;
}

const DAY_MS = 86_400_000;

/** A session's usage of one model on one day, and the name it is counted under. */
interface Entry {
  readonly key: string;
  readonly title: string | null;
  readonly sessionId: string;
  readonly part: UsagePart;
}

/** The cost of a session so far, by the user's prices and ao's own list. */
export function toCostView(session: SessionState, world: World): CostView {
  return deriveCost(partsOf(session), pricesOf(world));
}

/** Today's cost (UTC) of all sessions, or those of one project: an archived one ended more than a day ago. */
export function costSince(
  world: World,
  { project, since }: { readonly project: string | null; readonly since: number },
): CostView {
  const parts: UsagePart[] = [];
  for (const session of world.sessions()) {
    if (project !== null && session.projectId !== project) continue;
    parts.push(...partsOf(session).filter(({ day }) => day >= dayOf(since)));
  }
  return deriveCost(parts, pricesOf(world));
}

/** All costs, by session, task, merged change, outcome, reason, model or day. */
export function listCosts(world: World, { by, project, since }: CostQuery): CostsView {
  const prices = pricesOf(world);
  const name = nameBy(by, world);
  const archived = world.archive.sessions({
    projectId: project ?? undefined,
    since: since === null ? 0 : Date.parse(since),
  });
  const entries = [...world.sessions(), ...archived]
    .filter(({ projectId }) => project === null || projectId === project)
    .sort((a, b) => a.createdAt - b.createdAt)
    .flatMap((session) => entriesOf(session, name, since));
  return { by, since, data: toRows(entries, prices, by), total: sumUp(entries, prices), pricesDate: PRICES_DATE };
}

/** The cost of one session, by model and by day. */
export function toSessionCost(session: SessionState, world: World, since: string | null): SessionCostView {
  const prices = pricesOf(world);
  const models = entriesOf(session, nameBy("model", world), since);
  const days = entriesOf(session, nameBy("day", world), since);
  return {
    sessionId: session.id,
    since,
    ...sumUp(models, prices),
    models: toRows(models, prices, "model"),
    days: toRows(days, prices, "day"),
    pricesDate: PRICES_DATE,
  };
}

type Name = (session: SessionState, part: UsagePart) => Pick<Entry, "key" | "title"> | null;

function nameBy(by: CostGrouping, world: World): Name {
  switch (by) {
    case "session":
      return ({ id, title }) => ({ key: id, title });
    case "task":
      return ({ taskKey, title }) => ({ key: taskKey, title });
    case "pull-request":
      return nameByChange(world);
    case "outcome":
      return nameByOutcome(world);
    case "reason":
      return (_, { reason = "work" }) => ({ key: reason, title: null });
    case "model":
      return (_, { model }) => ({ key: model ?? "not named", title: null });
    case "day":
      return (_, { day }) => ({ key: new Date(day * DAY_MS).toISOString().slice(0, 10), title: null });
  }
}

// A session's cost cannot be split between several of its merged changes, so they share one entry.
function nameByChange(world: World): Name {
  const changes = pullRequestsBySession(world);
  return ({ id }) => {
    const merged = (changes.get(id) ?? []).filter(({ phase }) => phase === "merged");
    const last = merged.at(-1);
    return last === undefined ? null : { key: merged.map(({ key }) => key).join(", "), title: last.title };
  };
}

// A session's cost is useful once any of its work is merged, and wasted if it is stopped without that.
function nameByOutcome(world: World): Name {
  const changes = pullRequestsBySession(world);
  return ({ id, phase }) => {
    const isMerged = (changes.get(id) ?? []).some((change) => change.phase === "merged");
    return { key: isMerged ? "merged" : phase === "stopped" ? "discarded" : "in-progress", title: null };
  };
}

function entriesOf(session: SessionState, name: Name, since: string | null): readonly Entry[] {
  const first = since === null ? Number.NEGATIVE_INFINITY : dayOf(Date.parse(since));
  return partsOf(session).flatMap((part) => {
    const named = part.day < first ? null : name(session, part);
    return named === null ? [] : [{ ...named, sessionId: session.id, part }];
  });
}

function toRows(entries: readonly Entry[], prices: PriceLists, by: CostGrouping): readonly CostRowView[] {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) groups.set(entry.key, [...(groups.get(entry.key) ?? []), entry]);
  const rows = [...groups].map(([key, group]) => ({
    key,
    title: group.at(-1)?.title ?? null,
    sessions: new Set(group.map(({ sessionId }) => sessionId)).size,
    ...sumUp(group, prices),
  }));
  return rows.sort(by === "day" ? (a, b) => a.key.localeCompare(b.key) : dearestFirst);
}

function sumUp(entries: readonly Entry[], prices: PriceLists): CostView {
  const parts = entries.map(({ part }) => part);
  return deriveCost(parts, prices);
}

function dearestFirst(a: CostView, b: CostView): number {
  return (b.costUsd ?? 0) - (a.costUsd ?? 0) || b.inputTokens + b.outputTokens - a.inputTokens - a.outputTokens;
}
