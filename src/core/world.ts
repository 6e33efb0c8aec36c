import type { FleetEvent, FleetState } from "./fleet/state.ts";
import type { ProjectEvent, ProjectState } from "./project/state.ts";
import type { SessionEvent } from "./session/events.ts";
import type { SessionState } from "./session/state.ts";
import type { StreamId } from "./stream.ts";
import type { TaskEvent, TaskState } from "./task/state.ts";

export type AnyEvent = SessionEvent | TaskEvent | ProjectEvent | FleetEvent;

/** An event and the stream it belongs to. */
export interface Emitted {
  readonly stream: StreamId;
  readonly event: AnyEvent;
}

/** A read-only view of every stream's state; decisions see nothing else. */
export interface World {
  session(id: string): SessionState | undefined;
  sessions(): Iterable<SessionState>;
  task(key: string): TaskState | undefined;
  project(id: string): ProjectState | undefined;
  projects(): Iterable<ProjectState>;
  fleet(): FleetState;
}

/** Is nothing to be sent, spawned or merged for this project? */
export function isPaused(world: World, projectId: string): boolean {
  return world.fleet().paused || world.project(projectId)?.paused === true;
}
