import { git, readBranch } from "../fake-forge/git.ts";
import { isMergeable } from "./mergeable.ts";
import type { CheckRun, CommitStatus, Pull, Repository, Review } from "./model.ts";

const FINE: readonly (string | null)[] = ["success", "neutral", "skipped"];

/** The newest check run per name and suite on a commit; each run of a workflow has a suite of its own. */
export function latestChecks(repository: Repository, commit: string): readonly CheckRun[] {
  const ofCommit = repository.checks.filter((check) => check.commit === commit);
  return [...new Map(ofCommit.map((check) => [`${check.suiteId} ${check.name}`, check])).values()];
}

/** The newest status per context on a commit. */
export function latestStatuses(repository: Repository, commit: string): readonly CommitStatus[] {
  const ofCommit = repository.statuses.filter((status) => status.commit === commit);
  return [...new Map(ofCommit.map((status) => [status.context, status])).values()];
}

/** Who approves and who objects now: each person's last review that counts. */
export function standingReviews(pull: Pull): readonly Review[] {
  const counting = pull.reviews.filter(({ state }) => state !== "COMMENTED" && state !== "PENDING");
  const last = new Map(counting.map((review) => [review.author.login, review]));
  return [...last.values()].filter(({ state }) => state !== "DISMISSED");
}

/** What branch protection objects to, in GitHub's words; empty: nothing. */
export function protectionBlockers(repository: Repository, pull: Pull): readonly string[] {
  const protection = repository.protections.get(pull.baseBranch);
  if (protection === undefined) return [];
  const reviews = standingReviews(pull);
  const blockers: string[] = [];
  const approvals = reviews.filter(({ state }) => state === "APPROVED").length;
  if (protection.approvals !== null) {
    if (reviews.some(({ state }) => state === "CHANGES_REQUESTED")) {
      blockers.push("Changes have been requested by a reviewer with write access.");
    } else if (approvals < protection.approvals) {
      const word = protection.approvals === 1 ? "review is" : "reviews are";
      blockers.push(`At least ${protection.approvals} approving ${word} required by reviewers with write access.`);
    }
  }
  for (const name of protection.checks) {
    const state = stateOfCheck(repository, pull.head, name);
    if (state !== "success") blockers.push(`Required status check "${name}" is ${state}.`);
  }
  if (protection.requireConversationResolution && pull.threads.some(({ resolvedBy }) => resolvedBy === null)) {
    blockers.push("All comments must be resolved.");
  }
  return blockers;
}

function stateOfCheck(repository: Repository, commit: string, name: string): string {
  const check = repository.checks.findLast((one) => one.commit === commit && one.name === name);
  if (check !== undefined) {
    if (check.status !== "completed") return "in progress";
    return FINE.includes(check.conclusion) ? "success" : "failing";
  }
  const status = latestStatuses(repository, commit).find((one) => one.context === name);
  if (status === undefined) return "expected";
  return status.state === "success" ? "success" : status.state === "pending" ? "in progress" : "failing";
}

export type RollupState = "SUCCESS" | "FAILURE" | "PENDING" | "ERROR";

/** The combined state of everything reported on a commit; null: nothing reported. */
export function rollup(repository: Repository, commit: string): RollupState | null {
  const checks = latestChecks(repository, commit);
  const statuses = latestStatuses(repository, commit);
  if (checks.length + statuses.length === 0) return null;
  const isDone = (check: CheckRun): boolean => check.status === "completed";
  if (checks.some((check) => isDone(check) && !FINE.includes(check.conclusion))) return "FAILURE";
  if (statuses.some(({ state }) => state === "failure")) return "FAILURE";
  if (statuses.some(({ state }) => state === "error")) return "ERROR";
  if (checks.some((check) => !isDone(check)) || statuses.some(({ state }) => state === "pending")) return "PENDING";
  return "SUCCESS";
}

export type MergeState = "dirty" | "draft" | "blocked" | "unstable" | "clean" | "unknown" | "behind";

/** GitHub's word for whether a pull request can be merged. */
export async function mergeState(repository: Repository, pull: Pull): Promise<MergeState> {
  const mergeable = await isMergeable(repository, pull);
  if (mergeable === null) return "unknown";
  if (!mergeable) return "dirty";
  if (pull.isDraft) return "draft";
  if (protectionBlockers(repository, pull).length > 0) return "blocked";
  const state = rollup(repository, pull.head);
  return state === null || state === "SUCCESS" ? "clean" : "unstable";
}

/** The commit of a branch, tag or abbreviated commit; null: not found. */
export async function resolveCommit(repository: Repository, ref: string): Promise<string | null> {
  const branch = readBranch(repository.gitDir, ref);
  if (branch !== null || /^[0-9a-f]{40}$/.test(ref)) return branch ?? ref;
  return git(repository.gitDir, ["rev-parse", "--verify", "-q", `${ref}^{commit}`]).catch(() => null);
}
