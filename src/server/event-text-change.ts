import type { ChangeEvent } from "../core/change/events.ts";
import { short } from "../core/change/problems.ts";
import type { CheckState } from "../core/change/state.ts";
import type { ProblemEvent } from "../core/reaction/problem.ts";
import { excerpt } from "../core/text.ts";

export type ChangeTalk = Exclude<ChangeEvent, ProblemEvent | { readonly type: `intent.${string}` }>;

const ENDED: Readonly<Record<Exclude<CheckState, "queued" | "running">, string>> = {
  passed: "passed",
  failed: "failed",
  "timed-out": "did not end in time",
  "setup-failed": "could not be set up",
  cancelled: "was cancelled",
  unknown: "ended, and nobody can tell how",
};

const VERDICTS = {
  approve: "approved it",
  "request-changes": "asked for changes",
  comment: "commented",
} as const;

/** One sentence about an event of a pull request. */
export function describeChangeEvent(event: ChangeTalk): string {
  switch (event.type) {
    case "change.opened":
      return `pull request #${event.number} opened by ${event.by}: ${event.title}`;
    case "change.updated":
      return `its branch is at ${short(event.head)} now`;
    case "change.closed":
      return `closed by ${event.by}: ${event.reason}`;
    case "change.tried":
      return describeTry(event);
    case "change.merged":
      return `merged as ${short(event.commit)}`;
    case "check.started":
      return `check ${event.name} runs on ${short(event.head)}${event.attempt === 1 ? "" : `, attempt ${event.attempt}`}`;
    case "check.finished":
      return describeCheck(event);
    case "check.rerun-requested":
      return `${event.by} asked for check ${event.name} again`;
    case "merge.requested":
      return `${event.by} asked to merge ${short(event.head)} (${event.strategy})`;
    case "merge.cancelled":
      return `${event.by} cancelled the merge`;
    case "merge.held":
      return `the merge waits: ${[event.reason, ...event.files.slice(0, 5)].join(", ")}`;
    case "merge.refused":
      return `the merge did not work: ${event.reason}`;
    case "branch.settled":
      return event.deleted ? "its branch was deleted" : `its branch stays: ${event.reason}`;
    case "issue.settled":
      return event.closed ? "its issue was closed" : `its issue stays open: ${event.reason}`;
    default:
      return describeReview(event);
  }
}

function describeTry(event: Extract<ChangeTalk, { readonly type: "change.tried" }>): string {
  if (event.kind === "clean") return `it merges cleanly with ${short(event.baseHead)}`;
  if (event.kind === "unknown") return `nobody can tell whether it merges: ${event.reason ?? "no reason known"}`;
  return `it conflicts with ${short(event.baseHead)} in ${event.files.slice(0, 5).join(", ")}`;
}

function describeCheck(event: Extract<ChangeTalk, { readonly type: "check.finished" }>): string {
  const code = event.state === "failed" && event.code !== null ? ` with exit code ${event.code}` : "";
  const took = event.tookMs === null ? "" : ` after ${(event.tookMs / 1000).toFixed(1)} s`;
  return `check ${event.name} ${ENDED[event.state]}${code} on ${short(event.head)}${took}`;
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
      return `${event.by} opened thread ${event.threadId} again`;
    case "label.added":
      return `${event.by} added the label ${event.label}`;
    case "label.removed":
      return `${event.by} removed the label ${event.label}`;
  }
}

/** One sentence about a problem and what was done about it. */
export function describeProblemEvent(event: ProblemEvent): string {
  switch (event.type) {
    case "problem.seen":
      return `problem: ${event.text}`;
    case "problem.gone":
      return `problem gone: ${event.id}`;
    case "reaction.sent":
      return `told the agent about ${event.problem}, attempt ${event.attempt}`;
    case "reaction.withdrawn":
      return `took back the message about ${event.problem}: ${event.reason}`;
    case "problem.escalated":
      return event.reminder
        ? `reminded a person of ${event.id}: ${event.reason}`
        : `told a person about ${event.id}: ${event.reason}`;
    case "problem.acknowledged":
      return `${event.by} has seen ${event.id}`;
  }
}
