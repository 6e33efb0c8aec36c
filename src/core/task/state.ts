import { taskStream } from "../stream.ts";
import type { Emitted } from "../world.ts";

/** A piece of work: an issue, or an ad-hoc prompt. At most one session holds its claim. */
export interface TaskState {
  readonly key: string;
  readonly projectId: string;
  readonly issue: string | null;
  readonly title: string;
  readonly claimedBy: string | null;
  readonly at: number;
}

export type TaskEvent =
  | {
      readonly type: "task.claimed";
      readonly key: string;
      readonly projectId: string;
      readonly issue: string | null;
      readonly title: string;
      readonly sessionId: string;
    }
  | { readonly type: "task.released"; readonly sessionId: string };

/** Applies one event to a task. A claim that is held is never taken over. */
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

/** The claim of a session on its task. */
export function claimFor(session: {
  readonly id: string;
  readonly taskKey: string;
  readonly projectId: string;
  readonly issue: string | null;
  readonly title: string;
}): Emitted {
  return {
    stream: taskStream(session.taskKey),
    event: {
      type: "task.claimed",
      key: session.taskKey,
      projectId: session.projectId,
      issue: session.issue,
      title: session.title,
      sessionId: session.id,
    },
  };
}

/** The key of a task: the project's issue, or the session itself for an ad-hoc prompt. */
export function taskKeyOf(projectId: string, issue: string | null, sessionId: string): string {
  return issue === null ? `${projectId}/~${sessionId}` : `${projectId}/${issue}`;
}
