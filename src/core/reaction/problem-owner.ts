import type { ChangeState } from "../change/state.ts";
import type { SessionState } from "../session/state.ts";
import { changeStream, type StreamId, sessionStream } from "../stream.ts";
import { isPaused, type World } from "../world.ts";
import type { Problems } from "./problem.ts";

/** The owner of problems. */
export interface ProblemOwner {
  readonly world: World;
  readonly stream: StreamId;
  readonly projectId: string;
  readonly title: string;
  /** What people call it: `#3`, `demo-42`. */
  readonly name: string;
  readonly session: SessionState | undefined;
  /** The pull request itself, if it owns the problems. */
  readonly change?: ChangeState;
  readonly problems: Problems;
  /** Messages created so far; numbers the next one. */
  readonly reactions: number;
  readonly head: string;
  readonly paused: boolean;
  /** Nothing more happens to it automatically: the session is stopped, the pull request merged or closed. */
  readonly isOver: boolean;
}

/** A session as the owner of its problems. */
export function ownerOfSession(world: World, session: SessionState): ProblemOwner {
  const { id, projectId, title, problems, reactions, branchSeen } = session;
  const head = branchSeen?.head ?? "";
  const paused = isPaused(world, projectId);
  const isOver = session.phase === "stopped";
  const facts = { projectId, title, name: id, session, problems, reactions, head, paused, isOver };
  return { world, stream: sessionStream(id), ...facts };
}

/** A change as the owner of its problems; its session solves them. */
export function ownerOfChange(world: World, change: ChangeState): ProblemOwner {
  const { key, projectId, title, number, problems, reactions, head } = change;
  const session = change.sessionId === null ? undefined : world.session(change.sessionId);
  const paused = isPaused(world, projectId);
  return {
    world,
    stream: changeStream(key),
    projectId,
    title,
    name: `#${number}`,
    session,
    change,
    problems,
    reactions,
    head,
    paused,
    isOver: change.phase !== "open",
  };
}
