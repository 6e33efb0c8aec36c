import type { Emitted } from "../event.ts";
import { ownerOfSession } from "../reaction/problem-owner.ts";
import { nextDeadline, settleProblems } from "../reaction/settle-problems.ts";
import { hasChange, isPaused, type World } from "../world.ts";
import { detectSessionProblems } from "./problems.ts";
import type { SessionState } from "./state.ts";

/** What follows from the troubles of agents: they or people are told. */
export function settleSessionProblems(world: World, now: number): readonly Emitted[] {
  const events: Emitted[] = [];
  for (const session of world.activeSessions()) {
    const policy = world.project(session.projectId)?.policy ?? null;
    if (policy === null || (session.phase !== "open" && Object.keys(session.problems).length === 0)) continue;
    const detected = look(world, session, hasChange(world, session), now);
    if (detected !== null) events.push(...settleProblems(ownerOfSession(world, session), detected, policy, now));
  }
  return events;
}

/** When a session's problems need another look although nothing happens. */
export function wakeForProblems(world: World, session: SessionState, hasChange: boolean, now: number): number | null {
  const policy = world.project(session.projectId)?.policy ?? null;
  const detected = look(world, session, hasChange, now);
  if (policy === null || detected === null) return null;
  const times = [detected.wakeAt, nextDeadline(ownerOfSession(world, session), detected, policy, now)];
  const due = times.filter((time) => time !== null);
  return due.length === 0 ? null : Math.min(...due);
}

function look(
  world: World,
  session: SessionState,
  hasChange: boolean,
  now: number,
): ReturnType<typeof detectSessionProblems> | null {
  const policy = world.project(session.projectId)?.policy ?? null;
  if (policy === null) return null;
  const paused = isPaused(world, session.projectId);
  return detectSessionProblems(session, policy, { hasChange, watchedSince: world.fleet().watchedSince, paused }, now);
}
