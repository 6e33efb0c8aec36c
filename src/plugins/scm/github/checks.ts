import type { ReportedCheck } from "../../../core/change/observation.ts";
import type { Context } from "./query.ts";

/** The name of a check, as people and rules use it. */
export function nameOf(context: Context): string {
  return context.__typename === "CheckRun" ? context.name : context.context;
}

/**
 * The checks of a commit in the words of `ao`, one per name. Several workflows, or one workflow for several events, may
 * have a job of the same name: their check is as bad as the worst of them.
 */
export function toChecks(contexts: readonly Context[]): readonly ReportedCheck<string>[] {
  const sorted = contexts.toSorted((a, b) => ageOf(a) - ageOf(b));
  const newest = new Map(sorted.map((one) => [sourceOf(one), one]));
  const checks = sorted.filter((one) => newest.get(sourceOf(one)) === one).map(toCheck);
  const names = new Set(contexts.map(nameOf));
  return [...names].flatMap((name) => worstOf(checks.filter((check) => check.name === name)));
}

/** A check and what reports it: only its last result counts. */
function sourceOf(context: Context): string {
  if (context.__typename === "StatusContext") return JSON.stringify([context.context]);
  const { name, checkSuite } = context;
  const run = checkSuite?.workflowRun;
  return JSON.stringify(run == null ? [name, checkSuite?.databaseId] : [name, run.workflow.name, run.event]);
}

/** Ids of check runs increase; GitHub shows only the last status of a context. */
function ageOf(context: Context): number {
  return context.__typename === "CheckRun" ? context.databaseId : 0;
}

const BADNESS: Readonly<Record<ReportedCheck["state"], number>> = {
  failed: 3,
  "timed-out": 3,
  running: 2,
  cancelled: 1,
  unknown: 1,
  passed: 0,
};

// Another id means another attempt. So it stays the same while one after another passes; the log and a re-run of a failed
// one need its own.
function worstOf(checks: readonly ReportedCheck<string>[]): readonly ReportedCheck<string>[] {
  const [worst] = checks.toSorted((a, b) => BADNESS[b.state] - BADNESS[a.state]);
  const last = checks.at(-1);
  if (worst === undefined || last === undefined) return [];
  const isOwn = worst.state !== "running" && worst.state !== "passed";
  return [isOwn ? worst : { ...worst, ref: last.ref }];
}

function toCheck(context: Context): ReportedCheck<string> {
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
