import type { ChangeObservation } from "../../../core/change/observation.ts";
import type { ApprovalsRecord, MergeRequestRecord } from "./records.ts";

// Conflicts and pipelines show up elsewhere; a status that GitLab is still computing means nothing.
const BLOCKS: Readonly<Record<string, string>> = {
  not_approved: "it lacks approvals that GitLab requires",
  requested_changes: "a reviewer requested changes on GitLab",
  discussions_not_resolved: "GitLab requires that all threads are resolved",
  need_rebase: "GitLab requires a rebase onto the base",
  broken_status: "its branch is gone from GitLab, or has no commits of its own there",
  blocked_status: "another merge request on GitLab blocks it",
  merge_request_blocked: "another merge request on GitLab blocks it",
  external_status_checks: "external status checks on GitLab have not passed",
  status_checks_must_pass: "external status checks on GitLab have not passed",
  policies_denied: "a policy on GitLab denies it",
  security_policy_violations: "a security policy on GitLab denies it",
  jira_association_missing: "GitLab requires a Jira issue in its title or description",
  title_regex: "its title is not what GitLab requires",
  locked_paths: "paths that it changes are locked on GitLab",
  locked_lfs_files: "files that it changes are locked on GitLab",
  merge_time: "GitLab merges it at a later time",
};

const PIPELINES: Readonly<Record<string, string>> = {
  ci_must_pass: "GitLab requires a pipeline that passed",
  ci_still_running: "its pipeline on GitLab still runs",
};

/** Why GitLab would not merge it, apart from checks and conflicts; null: it would. */
export function blockedBy(
  { draft, detailed_merge_status: status }: MergeRequestRecord,
  approvals?: ApprovalsRecord,
): string | null {
  // Drafts show up elsewhere.
  if (draft === true) return null;
  const missing = status === "not_approved" && approvals !== undefined ? missingApprovals(approvals) : null;
  return missing ?? BLOCKS[status ?? ""] ?? null;
}

function missingApprovals({ approvals_left: left, approval_rules_left: rules }: ApprovalsRecord): string | null {
  if (left == null || left === 0) return null;
  const names = (rules ?? []).flatMap(({ name }) => name ?? []);
  return `needs ${left} more approval${left === 1 ? "" : "s"} on GitLab${names.length === 0 ? "" : ` (${names.join(", ")})`}`;
}

/** Why GitLab rejected the merge; null: unknown. */
export function reasonOf(shown: MergeRequestRecord): string | null {
  if (shown.draft === true) return "it is a draft";
  return blockedBy(shown) ?? PIPELINES[shown.detailed_merge_status ?? ""] ?? null;
}

/** Open, merged or closed; a locked one is being merged right now. */
export function stateOf({ state }: Pick<MergeRequestRecord, "state">): ChangeObservation["state"] {
  return state === "merged" || state === "closed" ? state : "open";
}
