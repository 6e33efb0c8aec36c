import type { ProblemOwner } from "../reaction/settle-problems.ts";
import { changeStream } from "../stream.ts";
import { isPaused, type World } from "../world.ts";
import type { ChangeState } from "./state.ts";

/** A change as the owner of its problems. */
export function ownerOf(world: World, change: ChangeState): ProblemOwner {
  return {
    stream: changeStream(change.key),
    projectId: change.projectId,
    title: change.title,
    name: `#${change.number}`,
    session: change.sessionId === null ? undefined : world.session(change.sessionId),
    problems: change.problems,
    reactions: change.reactions,
    head: change.head,
    paused: isPaused(world, change.projectId),
  };
}
