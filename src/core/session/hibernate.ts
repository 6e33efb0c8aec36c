import { isLeftBehind, isPending, runtimeOfRun, type SessionState } from "./state.ts";

/** The recorded reason for ending a run for hibernation. */
export const HIBERNATED = "hibernated";

/** What a session's hibernation depends on besides itself. */
export interface HibernationPolicy {
  /** null: never. */
  readonly afterMs: number | null;
  readonly watchedSince: number;
}

/**
 * When the process of an idle agent is ended; null: not in the current state. Idle time counts only while the daemon
 * was watching. A person may be using a terminal, and a conversation that cannot be continued would be lost.
 */
export function hibernationDue(session: SessionState, { afterMs, watchedSince }: HibernationPolicy): number | null {
  const { run, input, resumes, workspace, activity, messages } = session;
  if (afterMs === null || run.state !== "alive" || input !== "inbox" || resumes !== true) return null;
  if (runtimeOfRun(session).plugin !== "process" || isLeftBehind(session)) return null;
  if (workspace.state !== "ready" || !isAtRest(session)) return null;
  if (messages.some((message) => isPending(message, input))) return null;
  return Math.max(watchedSince, activity.at, ...messages.map(({ at }) => at)) + afterMs;
}

/** Does its end leave nothing open? A message queued by then wakes it again. */
export function isAtRest({ activity, turn, question }: SessionState): boolean {
  return activity.state === "idle" && turn === null && question === null;
}

/** Was its agent ended because it was idle? */
export function isAsleep({ run }: SessionState): boolean {
  return run.state === "ended" && run.hibernation === "asleep";
}
