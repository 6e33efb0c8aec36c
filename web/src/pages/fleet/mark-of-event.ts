import type { Mark } from "../../lib/state-of.ts";

/** Events that tell the story of a day, and their marks; the others are detail. */
const MARKS: Readonly<Record<string, Mark>> = {
  "session.requested": "queued",
  "run.started": "working",
  "agent.asked": "question",
  "agent.answered": "working",
  "agent.finished": "idle",
  "agent.limited": "paused",
  "agent.errored": "failed",
  "workspace.failed": "failed",
  "change.opened": "checks-running",
  "change.merged": "merged",
  "change.closed": "stopped",
  "review.given": "review",
  "problem.seen": "failed",
  "problem.gone": "ready",
  "problem.escalated": "escalated",
  "reaction.sent": "fixing",
  "merge.held": "setup-failed",
  "merge.refused": "failed",
  "session.stopped": "stopped",
  "session.restore-requested": "working",
  "fleet.paused": "paused",
  "fleet.resumed": "working",
  "project.paused": "paused",
  "project.completed": "ready",
};

/** The mark of an event; null: it is not part of the story. */
export function markOfEvent(type: string): Mark | null {
  return MARKS[type] ?? null;
}
