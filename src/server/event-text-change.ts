import type { ChangeEvent } from "../core/change/events.ts";
import { short } from "../core/change/problems.ts";
import type { CheckState } from "../core/change/state.ts";
import type { ProblemEvent } from "../core/reaction/problem.ts";
import { excerpt } from "../core/text.ts";

export type ChangeTalk = Exclude<ChangeEvent, ProblemEvent | { readonly type: `intent.${string}` }>;

const ENDED: Readonly<Record<Exclude<CheckState, "queued" | "running">, string>> = {
  passed: "passed",
  failed: "failed",
  "timed-out": "timed out",
  "setup-failed": "could not be set up",
  cancelled: "cancelled",
  unknown: "ended with unknown result",
};

const VERDICTS = {
  approve: "approved",
  "request-changes": "requested changes",
  comment: "commented",
} as const;

/** One sentence about an event of a pull request. */
export function describeChangeEvent(event: ChangeTalk): string {
  switch (event.type) {
    case "change.opened":
      return `pull request #${event.number} opened by ${event.by}: ${event.title}`;
    case "change.updated":
      return `branch moved to ${short(event.head)}`;
    case "change.closed":
      return `closed by ${event.by}: ${event.reason}`;
    case "change.tried":
      return describeTry(event);
    case "change.merged":
      return `merged as ${short(event.commit)}`;
    case "check.started":
      return `check \`${event.name}\` started on ${short(event.head)}${event.attempt === 1 ? "" : ` (attempt ${event.attempt})`}`;
    case "check.finished":
      return describeCheck(event);
    case "check.rerun-requested":
      return `${event.by} re-ran check \`${event.name}\``;
    case "merge.requested":
      return `${event.by} requested the merge of ${short(event.head)} (${event.strategy})`;
    case "merge.cancelled":
      return `${event.by} cancelled the merge`;
    case "merge.held":
      return `merge waiting: ${[event.reason, ...event.files.slice(0, 5)].join(", ")}`;
    case "merge.refused":
      return `merge failed: ${event.reason}`;
    case "branch.settled":
      return event.deleted ? "branch deleted" : `branch kept: ${event.reason}`;
    case "issue.settled":
      return event.closed ? "issue closed" : `issue left open: ${event.reason}`;
    default:
      return describeReview(event);
  }
}

function describeTry(event: Extract<ChangeTalk, { readonly type: "change.tried" }>): string {
  if (event.kind === "clean") return `merges cleanly with ${short(event.baseHead)}`;
  if (event.kind === "unknown") return `mergeability unknown: ${event.reason ?? "no reason given"}`;
  return `conflicts with ${short(event.baseHead)} in ${event.files.slice(0, 5).join(", ")}`;
}

function describeCheck(event: Extract<ChangeTalk, { readonly type: "check.finished" }>): string {
  const code = event.state === "failed" && event.code !== null ? ` with exit code ${event.code}` : "";
  const took = event.tookMs === null ? "" : ` after ${(event.tookMs / 1000).toFixed(1)} s`;
  return `check \`${event.name}\` ${ENDED[event.state]}${code} on ${short(event.head)}${took}`;
}

function describeReview(
  event: Extract<ChangeTalk, { readonly type: "review.given" | `thread.${string}` | `label.${string}` }>,
): string {
  switch (event.type) {
    case "review.given": {
      const words = event.body ?? event.threads[0]?.text ?? null;
      return `${event.author} ${VERDICTS[event.verdict]}${words === null ? "" : `: "${excerpt(words)}"`}`;
    }
    case "thread.replied":
      return `${event.author} replied: "${excerpt(event.text)}"`;
    case "thread.resolved":
      return `${event.by} resolved thread ${event.threadId}`;
    case "thread.reopened":
      return `${event.by} reopened thread ${event.threadId}`;
    case "label.added":
      return `${event.by} added label ${event.label}`;
    case "label.removed":
      return `${event.by} removed label ${event.label}`;
  }
}

/** One sentence about a problem and what was done about it. */
export function describeProblemEvent(event: ProblemEvent): string {
  switch (event.type) {
    case "problem.seen":
      return event.key === "agent-needs-input" ? event.text : `problem: ${event.text}`;
    case "problem.gone":
      return `resolved: ${nameProblem(event.id)}`;
    case "reaction.sent":
      return `sent ${nameProblem(event.problem)} to the agent (attempt ${event.attempt})`;
    case "reaction.withdrawn":
      return `withdrew the message about ${nameProblem(event.problem)}: ${event.reason}`;
    case "problem.escalated":
      return `${event.reminder ? "reminded" : "notified"} you: ${nameProblem(event.id)}${whyYou(event)}`;
    case "problem.acknowledged":
      return `${event.by} dismissed ${nameProblem(event.id)}`;
  }
}

// Of what was never tried there is no more to say than that a person decides.
function whyYou({ reason, messages, reminder }: Extract<ProblemEvent, { readonly type: "problem.escalated" }>): string {
  return messages === 0 || reminder ? "" : ` (${reason})`;
}

/** A problem by its id, such as `ci-failed:unit`, for people. */
function nameProblem(id: string): string {
  const [, key = id, about = ""] = /^([a-z-]+)(?::(.*))?$/s.exec(id) ?? [];
  if (key === "ci-failed") return about === "" ? "failing check" : `failing check \`${about}\``;
  if (key === "check-setup") return `set-up of check \`${about}\``;
  if (key === "changes-requested") return "requested changes";
  return key.replaceAll("-", " ");
}
