import type { TaskEvent } from "./events.ts";
import type { TaskState } from "./state.ts";

/** Applies one event to a task. An existing claim is never taken over. */
export function evolveTask(state: TaskState | undefined, event: TaskEvent, at: number): TaskState | undefined {
  switch (event.type) {
    case "task.claimed":
      if (state !== undefined && state.claimedBy !== null) return state;
      return {
        key: event.key,
        projectId: event.projectId,
        issue: event.issue,
        title: event.title,
        claimedBy: event.sessionId,
        at,
      };
    case "task.released":
      return state?.claimedBy === event.sessionId ? { ...state, claimedBy: null, at } : state;
  }
}
