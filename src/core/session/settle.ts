import { nextDay, usedBudgets, usedDays } from "../cost/budget.ts";
import type { Emitted } from "../event.ts";
import { ownerOfSession } from "../reaction/problem-owner.ts";
import { nextDeadline, settleProblems } from "../reaction/settle-problems.ts";
import { hasChange, isPaused, type World } from "../world.ts";
import { collisionsOf } from "./collision-problems.ts";
import { detectSessionProblems } from "./problems.ts";
import type { SessionState } from "./state.ts";

/** What follows from agents' problems: they are messaged, or people are notified. */
export function settleSessionProblems(world: World, now: number): readonly Emitted[] {
  const events: Emitted[] = [];
  for (const session of world.activeSessions()) {
    const policy = world.project(session.projectId)?.policy ?? null;
    const isLooked = session.phase === "open" || session.phase === "queued" || Object.keys(session.problems).length > 0;
    if (policy === null || !isLooked) continue;
    const detected = detect(world, session, now);
    if (detected !== null) events.push(...settleProblems(ownerOfSession(world, session), detected, { policy, now }));
  }
  return events;
}

/** When a session's problems must be evaluated again although nothing happens. */
export function wakeForProblems(world: World, session: SessionState, now: number): number | null {
  const policy = world.project(session.projectId)?.policy ?? null;
  const detected = detect(world, session, now);
  if (policy === null || detected === null) return null;
  // A daily limit ends with the day.
  const tomorrow = usedDays(world, session.projectId, now).length > 0 ? nextDay(now) : null;
  const times = [detected.wakeAt, nextDeadline(ownerOfSession(world, session), detected, { policy, now }), tomorrow];
  const due = times.filter((time) => time !== null);
  return due.length === 0 ? null : Math.min(...due);
}

function detect(world: World, session: SessionState, now: number): ReturnType<typeof detectSessionProblems> | null {
  const policy = world.project(session.projectId)?.policy ?? null;
  if (policy === null) return null;
  const isProposed = hasChange(world, session);
  const paused = isPaused(world, session.projectId);
  const used = usedBudgets(world, session, now);
  const collisions = collisionsOf(world, session, { policy, hasChange: isProposed });
  const facts = { hasChange: isProposed, watchedSince: world.fleet().watchedSince, paused, used, collisions };
  return detectSessionProblems(session, policy, facts, now);
}
