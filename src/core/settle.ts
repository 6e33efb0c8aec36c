import { settleChanges } from "./change/settle.ts";
import { usedDays } from "./cost/budget.ts";
import type { Emitted } from "./event.ts";
import { settleMains } from "./guard/settle.ts";
import { settleSnoozes } from "./need/snooze.ts";
import { settleCompletion } from "./project/settle.ts";
import { settleReviewers } from "./session/reviewer.ts";
import { settleSessionProblems } from "./session/settle.ts";
import { holdsSlot } from "./slot.ts";
import { settleStacks } from "./stack/settle.ts";
import { sessionStream, taskStream } from "./stream.ts";
import { settleTrains } from "./train/settle.ts";
import { isPaused, type World } from "./world.ts";

/**
 * What follows from the state, one step at a time; called again until nothing more follows. Rules come last, in steps of
 * their own: a replay makes only these again, and must have read in the log what live they had seen.
 */
export function settle(world: World, now: number): readonly Emitted[] {
  // What a pull request is stacked on is what it is compared with, so nothing is decided about it before that is known.
  const stacks = settleStacks(world);
  if (stacks.length > 0) return stacks;
  const work = [
    ...settleRoom(world, now),
    ...settleTrains(world, now),
    ...settleReviewers(world),
    ...settleSnoozes(world.fleet(), now),
  ];
  if (work.length > 0) return work;
  return [
    ...settleChanges(world, now),
    ...settleMains(world),
    ...settleSessionProblems(world, now),
    ...settleCompletion(world),
  ];
}

// Gives slots to waiting sessions, and stops a session with nothing left.
function settleRoom(world: World, now: number): readonly Emitted[] {
  const events: Emitted[] = [];
  let busy = 0;
  const perProject = new Map<string, number>();
  const waiting: { readonly id: string; readonly projectId: string; readonly at: number }[] = [];
  for (const session of world.activeSessions()) {
    if (session.phase === "queued")
      waiting.push({ id: session.id, projectId: session.projectId, at: session.createdAt });
    if (session.phase === "stopping" && isTakenDown(session)) {
      events.push({ stream: sessionStream(session.id), event: { type: "session.stopped" } });
      events.push({
        stream: taskStream(session.taskKey),
        event: { type: "task.released", sessionId: session.id },
      });
    } else if (holdsSlot(session)) {
      busy += 1;
      perProject.set(session.projectId, (perProject.get(session.projectId) ?? 0) + 1);
    }
  }
  waiting.sort((a, b) => a.at - b.at);
  for (const { id, projectId } of waiting) {
    const projectBusy = perProject.get(projectId) ?? 0;
    const projectLimit = world.project(projectId)?.limit ?? Number.POSITIVE_INFINITY;
    if (busy >= world.fleet().limit || projectBusy >= projectLimit || isHeld(world, projectId, now)) continue;
    busy += 1;
    perProject.set(projectId, projectBusy + 1);
    events.push({ stream: sessionStream(id), event: { type: "session.admitted" } });
  }
  return events;
}

function isHeld(world: World, projectId: string, now: number): boolean {
  return isPaused(world, projectId) || usedDays(world, projectId, now).length > 0;
}

function isTakenDown(session: {
  readonly run: { readonly state: string };
  readonly workspace: { readonly state: string };
}): boolean {
  const runOver = session.run.state === "none" || session.run.state === "ended";
  return runOver && ["none", "failed", "removed", "kept"].includes(session.workspace.state);
}
