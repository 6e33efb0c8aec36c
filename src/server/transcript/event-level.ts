import type { AnyEvent } from "../../core/event.ts";
import { HIBERNATED } from "../../core/session/hibernate.ts";

/** Is an event good or bad news? */
export function levelOf(event: AnyEvent): "info" | "good" | "bad" {
  switch (event.type) {
    case "check.finished":
      return event.state === "passed" ? "good" : event.state === "cancelled" ? "info" : "bad";
    case "review.given":
      return event.verdict === "approve" ? "good" : event.verdict === "request-changes" ? "bad" : "info";
    case "run.ended":
      return event.evidence === HIBERNATED ? "info" : "bad";
    case "change.opened":
    case "change.merged":
      return "good";
    case "change.tried":
    case "workspace.failed":
    case "workspace.vanished":
    case "workspace.branch-left":
    case "run.end-failed":
    case "message.returned":
    case "message.unknown":
    case "message.failed":
    case "agent.limited":
    case "agent.errored":
    case "merge.refused":
    case "problem.seen":
      return "bad";
    default:
      return "info";
  }
}
