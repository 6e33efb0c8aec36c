import type { ChangeEvent } from "./change/events.ts";
import { evolveChange } from "./change/evolve.ts";
import type { ChangeState } from "./change/state.ts";
import type { AnyEvent } from "./event.ts";
import type { FleetEvent } from "./fleet/events.ts";
import { evolveFleet } from "./fleet/evolve.ts";
import { type FleetState, initialFleet } from "./fleet/state.ts";
import type { ProjectEvent } from "./project/events.ts";
import { evolveProject } from "./project/evolve.ts";
import type { ProjectState } from "./project/state.ts";
import type { SessionEvent } from "./session/events.ts";
import { evolveSession } from "./session/evolve.ts";
import type { SessionState } from "./session/state.ts";
import { type StreamId, splitStream } from "./stream.ts";
import type { TaskEvent } from "./task/events.ts";
import { evolveTask } from "./task/evolve.ts";
import type { TaskState } from "./task/state.ts";

export type StreamState = SessionState | ChangeState | TaskState | ProjectState | FleetState;

/** Applies one event to the state of its stream. Total: an event that does not fit changes nothing. */
export function evolve(
  stream: StreamId,
  state: StreamState | undefined,
  event: AnyEvent,
  at: number,
): StreamState | undefined {
  switch (splitStream(stream).kind) {
    case "session":
      return evolveSession(state as SessionState | undefined, event as SessionEvent, at);
    case "change":
      return evolveChange(state as ChangeState | undefined, event as ChangeEvent, at);
    case "task":
      return evolveTask(state as TaskState | undefined, event as TaskEvent, at);
    case "project":
      return evolveProject(state as ProjectState | undefined, event as ProjectEvent, at);
    case "fleet":
      return evolveFleet((state as FleetState | undefined) ?? initialFleet(), event as FleetEvent, at);
  }
}
