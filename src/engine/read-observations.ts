import { fingerprintOf } from "../core/cause/fingerprint.ts";
import { comparableOnBase } from "../core/cause/observe-base.ts";
import { readFailure } from "../core/cause/read-failure.ts";
import {
  type ChangeObservation,
  failedInQueue,
  isReportedRed,
  newlyRed,
  type ReportedCheck,
  type ReportedQueue,
  type ReportedReview,
  type ReportedThread,
} from "../core/change/observation.ts";
import type { ChangeState } from "../core/change/state.ts";
import { writeOutHidden } from "../core/hidden-characters.ts";
import { endOfLog, toPlainText } from "../core/log-end.ts";
import { defuse, storeBoundWords } from "../core/reaction/template.ts";
import type { StoredText } from "../core/text.ts";
import type { RemoteForge, ScmProject } from "../ports/scm.ts";
import type { EffectDeps } from "./executor.ts";

/** How many logs of one pull request are read in parallel; a matrix of jobs can turn red at once. */
const LOGS_AT_ONCE = 5;

export interface SeenChange {
  readonly key: string;
  readonly seen: ChangeObservation;
}

/** Reads pull requests of one project from their forge, with the logs of checks that turned red; stores long texts. */
export async function readObservations(
  deps: EffectDeps,
  remote: RemoteForge,
  changes: readonly ChangeState[],
): Promise<readonly SeenChange[]> {
  const [first] = changes;
  if (first === undefined) return [];
  const project = deps.scmProjectOf(first.projectId);
  const wanted = changes.map(({ number, head, mergeRequest }) => {
    return { number, head, isQueued: mergeRequest?.queue !== undefined };
  });
  const seen: SeenChange[] = [];
  for (const one of await remote.readChanges(project, wanted)) {
    const change = changes.find(({ number }) => number === one.number);
    if (change === undefined) continue;
    const withLog = await withLogs(deps, { remote, project, change }, one);
    const publishedBefore = change.forge?.published ?? null;
    seen.push({ key: change.key, seen: { ...(await keepTexts(deps, withLog)), publishedBefore } });
  }
  return seen;
}

interface Place {
  readonly remote: RemoteForge;
  readonly project: ScmProject;
  readonly change: ChangeState;
}

// The log of a red check is read once, when it turns red.
async function withLogs(
  deps: EffectDeps,
  { remote, project, change }: Place,
  seen: ChangeObservation<string>,
): Promise<ChangeObservation<string>> {
  const queued = failedInQueue(change, seen);
  const known = deps.project(change.projectId);
  const onBase = known === undefined ? [] : comparableOnBase(known, seen).filter(isReportedRed);
  const red = [...newlyRed(change, seen), ...onBase, ...(queued === null ? [] : [queued])];
  if (red.length === 0) return seen;
  const logs = new Map<string, string | null>();
  const read = async (check: ReportedCheck<string>): Promise<void> => {
    const log = await remote.readCheckLog(project, check).catch((error: unknown) => {
      deps.host.log.warn("the log of a check could not be read", { check: check.name, reason: String(error) });
      return null;
    });
    logs.set(check.ref, log);
  };
  for (let start = 0; start < red.length; start += LOGS_AT_ONCE) {
    await Promise.all(red.slice(start, start + LOGS_AT_ONCE).map(read));
  }
  const withLog = (check: ReportedCheck<string>) => ({ ...check, log: logs.get(check.ref) ?? check.log });
  const checks = seen.checks?.map(withLog) ?? null;
  const { queue } = seen;
  const base = seen.baseChecks === undefined ? {} : { baseChecks: seen.baseChecks.map(withLog) };
  if (queued === null || queue === undefined || queue.removal === null) return { ...seen, checks, ...base };
  return { ...seen, checks, ...base, queue: { ...queue, removal: { ...queue.removal, check: withLog(queued) } } };
}

async function keepTexts(deps: EffectDeps, seen: ChangeObservation<string>): Promise<ChangeObservation> {
  const keep = async (text: string): Promise<StoredText> => storeBoundWords(text, deps.keepText);
  const keepOr = async (text: string | null): Promise<StoredText | null> => (text === null ? null : keep(text));
  const keepThread = async (thread: ReportedThread<string>): Promise<ReportedThread> => ({
    ...thread,
    comments: await Promise.all(
      thread.comments.map(async (comment) => ({
        ...comment,
        author: writeOutHidden(comment.author),
        text: await keep(comment.text),
      })),
    ),
  });
  const keepReview = async (review: ReportedReview<string>): Promise<ReportedReview> => ({
    ...review,
    author: writeOutHidden(review.author),
    body: await keepOr(review.body),
    threads: await Promise.all(review.threads.map(keepThread)),
  });
  const keepCheck = (check: ReportedCheck<string>): Promise<ReportedCheck> => keepLog(deps, check);
  const checks = seen.checks === null ? null : await Promise.all(seen.checks.map(keepCheck));
  const { queue, baseChecks, ...rest } = seen;
  const reviews = await Promise.all(seen.reviews.map(keepReview));
  return {
    ...rest,
    checks,
    ...(baseChecks === undefined ? {} : { baseChecks: await Promise.all(baseChecks.map(keepCheck)) }),
    reviews,
    ...(queue === undefined ? {} : { queue: await keepQueue(queue, keepCheck) }),
  };
}

async function keepQueue(
  { position, removal }: ReportedQueue<string>,
  keepCheck: (check: ReportedCheck<string>) => Promise<ReportedCheck>,
): Promise<ReportedQueue> {
  if (removal === null) return { position, removal };
  const { check, ...why } = removal;
  return { position, removal: check === undefined ? why : { ...why, check: await keepCheck(check) } };
}

/** A forge usually returns the failed step and the end of its log, which fits; a full log is cut to its end. */
const MAX_LOG_CHARS = 24 * 1024;

async function keepLog(deps: EffectDeps, check: ReportedCheck<string>): Promise<ReportedCheck> {
  const { log } = check;
  if (log === null) return { ...check, log };
  const text = defuse(log.length <= MAX_LOG_CHARS ? toPlainText(log) : endOfLog(log));
  return { ...check, ...readFailure(text), fingerprint: fingerprintOf(text), log: await deps.keepText(text) };
}
