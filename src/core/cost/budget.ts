import type { BudgetLimits } from "../policy.ts";
import type { SessionState } from "../session/state.ts";
import type { World } from "../world.ts";
import { deriveCost, partsOf } from "./cost.ts";
import { pricesOf } from "./list-prices.ts";
import { dayOf, type UsagePart } from "./usage.ts";

/** A limit that has been reached. */
export interface UsedBudget {
  readonly what: "session" | "task" | "day";
  readonly limit: number;
  readonly spent: number;
}

const DAY_MS = 86_400_000;

/** The limits that a session has reached; empty: none. */
export function usedBudgets(world: World, session: SessionState, now: number): readonly UsedBudget[] {
  const limits = limitsOf(world, session.projectId);
  if (limits === null) return [];
  const own = over("session", limits.perSession, () => spentBy(world, [session]));
  const task = over("task", limits.perTask, () => spentBy(world, sessionsOf(world, session)));
  return [...own, ...task, ...usedDays(world, session.projectId, now)];
}

/** The daily limits that a project has reached: nothing new starts there until the next day. */
export function usedDays(world: World, projectId: string, now: number): readonly UsedBudget[] {
  const limits = limitsOf(world, projectId);
  if (limits === null) return [];
  const today = ({ day }: UsagePart): boolean => day === dayOf(now);
  const ofProject = (): readonly SessionState[] => [...world.sessions()].filter((one) => one.projectId === projectId);
  return [
    ...over("day", limits.perDay, () => spentBy(world, ofProject(), today)),
    ...over("day", limits.perDayInAll, () => spentBy(world, [...world.sessions()], today)),
  ].slice(0, 1);
}

/** When the next day starts, in UTC. */
export function nextDay(now: number): number {
  return (dayOf(now) + 1) * DAY_MS;
}

function limitsOf(world: World, projectId: string): BudgetLimits | null {
  return world.project(projectId)?.policy?.budget ?? null;
}

function sessionsOf(world: World, { taskKey }: SessionState): readonly SessionState[] {
  return [...world.sessions()].filter((one) => one.taskKey === taskKey);
}

function over(what: UsedBudget["what"], limit: number | null, spentOf: () => number): readonly UsedBudget[] {
  if (limit === null) return [];
  const spent = spentOf();
  return spent >= limit ? [{ what, limit, spent }] : [];
}

function spentBy(
  world: World,
  sessions: readonly SessionState[],
  isMeant: (part: UsagePart) => boolean = () => true,
): number {
  return deriveCost(sessions.flatMap(partsOf).filter(isMeant), pricesOf(world)).costUsd ?? 0;
}
