import type { Emitted } from "../event.ts";
import { taskStream } from "../stream.ts";

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
