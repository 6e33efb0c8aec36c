import type { ReportedCheck } from "../../../core/change/observation.ts";
import type { Context } from "./query.ts";

/** The name of a check, as people and rules use it. */
export function nameOf(context: Context): string {
  return context.__typename === "CheckRun" ? context.name : context.context;
}

/** A check run or a commit status in the words of `ao`. */
export function toCheck(context: Context): ReportedCheck<string> {
  const name = nameOf(context);
  if (context.__typename === "StatusContext") {
    const state = STATUSES[context.state] ?? "unknown";
    return { name, ref: context.id, state, url: context.targetUrl ?? null, log: null, tookMs: null };
  }
  const { databaseId, status, conclusion, detailsUrl, startedAt, completedAt } = context;
  const state = status === "COMPLETED" ? (CONCLUSIONS[conclusion ?? ""] ?? "unknown") : "running";
  const took = Date.parse(completedAt ?? "") - Date.parse(startedAt ?? "");
  const tookMs = Number.isNaN(took) ? null : took;
  return { name, ref: String(databaseId), state, url: detailsUrl ?? null, log: null, tookMs };
}

const STATUSES: Readonly<Record<string, ReportedCheck["state"]>> = {
  SUCCESS: "passed",
  FAILURE: "failed",
  ERROR: "failed",
  PENDING: "running",
  EXPECTED: "running",
};

const CONCLUSIONS: Readonly<Record<string, ReportedCheck["state"]>> = {
  SUCCESS: "passed",
  NEUTRAL: "passed",
  SKIPPED: "passed",
  FAILURE: "failed",
  STARTUP_FAILURE: "failed",
  TIMED_OUT: "timed-out",
  CANCELLED: "cancelled",
};
