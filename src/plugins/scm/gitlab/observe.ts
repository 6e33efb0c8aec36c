import type { ChangeObservation, ReportedCheck } from "../../../core/change/observation.ts";
import { refOf } from "./job-ref.ts";
import { blockedBy, stateOf } from "./merge-status.ts";
import type { ReadMergeRequest } from "./read-merge-requests.ts";
import type { MergeRequestRecord, StatusRecord } from "./records.ts";

/** A GitLab merge request in ao's terms. `isYoung`: its commit was pushed a moment ago. */
export function toObservation(read: ReadMergeRequest, isYoung: boolean): ChangeObservation<string> {
  const { record, said, settings, baseHead, baseStatuses, train } = read;
  const statuses = newestOfEach(read.statuses);
  const mustPass = settings.only_allow_merge_if_pipeline_succeeds === true;
  const required = statuses.filter((status) => mustPass && status.allow_failure !== true);
  return {
    number: record.iid,
    version: new Date(record.updated_at).toISOString(),
    state: stateOf(record),
    url: record.web_url,
    by: (record.merge_user ?? record.merged_by ?? record.closed_by)?.username ?? null,
    mergeCommit: mergeCommitOf(record),
    head: record.sha ?? "",
    ...(record.target_branch == null ? {} : { base: record.target_branch }),
    baseHead,
    // GitLab adds the jobs of a commit some seconds after the push: until then, none is not an answer.
    checks: statuses.length === 0 && isYoung ? null : statuses.map(toCheck),
    ...(baseStatuses === null ? {} : { baseChecks: newestOfEach(baseStatuses).map(toCheck) }),
    reviews: said.reviews,
    labels: record.labels,
    required: required.map(({ name }) => name),
    blocked: blockedBy(record, said.approvals),
    isDraft: record.draft === true,
    ...(train === null ? {} : { queue: { position: train.get(record.iid) ?? null, removal: said.removal } }),
  };
}

function mergeCommitOf(record: MergeRequestRecord): string | null {
  if (record.state !== "merged") return null;
  return record.merge_commit_sha ?? record.squash_commit_sha ?? record.sha ?? null;
}

/** A commit may have several pipelines with the same jobs; optional manual jobs do not count. */
function newestOfEach(statuses: readonly StatusRecord[]): readonly StatusRecord[] {
  const byName = new Map<string, StatusRecord>();
  for (const one of statuses.toSorted((a, b) => a.id - b.id)) byName.set(one.name, one);
  return [...byName.values()].filter(({ status, allow_failure: isAllowed }) => status !== "manual" || !isAllowed);
}

function toCheck(status: StatusRecord): ReportedCheck<string> {
  const took = Date.parse(status.finished_at ?? "") - Date.parse(status.started_at ?? "");
  return {
    name: status.name,
    ref: refOf(status),
    // GitLab calls it a warning: nobody has to fix it.
    state:
      status.status === "failed" && status.allow_failure === true ? "passed" : (STATES[status.status] ?? "running"),
    url: status.target_url ?? null,
    log: null,
    tookMs: Number.isNaN(took) ? null : took,
  };
}

const STATES: Readonly<Record<string, ReportedCheck["state"]>> = {
  success: "passed",
  skipped: "passed",
  failed: "failed",
  canceled: "cancelled",
};
