import type { EventView } from "../../../../src/protocol/views/event.ts";
import type { Mark } from "../../lib/state-of.ts";

type EventType = EventView["type"];

/** The important events of a day, and their marks; the others are detail. */
const MARKS: Partial<Readonly<Record<EventType, Mark>>> = {
  "session.requested": "queued",
  "run.started": "working",
  "agent.asked": "question",
  "agent.answered": "working",
  "agent.finished": "idle",
  "agent.limited": "paused",
  "agent.errored": "failed",
  "workspace.failed": "failed",
  "pull-request.opened": "checks-running",
  "pull-request.merged": "merged",
  "pull-request.closed": "stopped",
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

/** The mark of an event; null: it is a detail. */
export function markOfEvent({ type, data }: Pick<EventView, "type" | "data">): Mark | null {
  const key = type === "problem.seen" && "key" in data ? data.key : null;
  // A question has its own event, and a mergeable pull request is not a problem.
  if (key === "agent-needs-input") return null;
  return key === "approved-and-green" ? "ready" : (MARKS[type] ?? null);
}

/** What happened to whom: a session by its id, a pull request by its number now. */
export function lineOf({ stream, text, number }: Pick<EventView, "stream" | "text" | "number">): string {
  const [kind = "", name = ""] = stream.split(/:(.*)/s);
  const first = kind === "pull-request" ? `#${name.split("/").at(-1)}` : name;
  const subject = number === undefined ? first : `#${number}`;
  return text.includes(subject) || text.includes(first) ? text : `${subject} ${text}`;
}
