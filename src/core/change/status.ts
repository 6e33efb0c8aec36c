import { findBlockers } from "../merge/blockers.ts";
import type { Problem } from "../reaction/problem.ts";
import type { World } from "../world.ts";
import { openRequests } from "./review.ts";
import type { ChangeState } from "./state.ts";

/** What people see of a pull request. Derived each time, never stored. */
export interface ChangeStatus {
  readonly status:
    | "checks-running"
    | "ci-failed"
    | "check-setup-failed"
    | "changes-requested"
    | "conflict"
    | "review-pending"
    | "blocked"
    | "mergeable"
    | "merging"
    | "merge-waits"
    | "merged"
    | "closed";
  readonly evidence: string;
}

/** The status of a pull request, with its evidence: what is worst, or what comes next. */
export function deriveChangeStatus(world: World, change: ChangeState): ChangeStatus {
  if (change.merged !== null) return { status: "merged", evidence: `merged as ${change.merged.commit.slice(0, 10)}` };
  if (change.phase === "closed") return { status: "closed", evidence: "closed without a merge" };
  if (change.wish?.reason != null) return { status: "merge-waits", evidence: change.wish.reason };
  const runs = Object.values(change.checks);
  const failed = runs.find((run) => run.state === "failed" || run.state === "timed-out");
  if (failed !== undefined) return { status: "ci-failed", evidence: `check ${failed.name} ${failed.state}` };
  const broken = runs.find((run) => ["setup-failed", "unknown", "cancelled"].includes(run.state));
  if (broken !== undefined) {
    return { status: "check-setup-failed", evidence: `check ${broken.name} could not be run: ${broken.state}` };
  }
  const asked = openRequests(change)[0];
  if (asked !== undefined) return { status: "changes-requested", evidence: `${asked.author} asked for changes` };
  const project = world.project(change.projectId);
  const policy = project?.policy ?? null;
  const blockers = policy === null ? [] : findBlockers(change, policy, project?.baseHead ?? null);
  const [first] = blockers;
  if (first === undefined) {
    return change.wish === null
      ? { status: "mergeable", evidence: "approved and green" }
      : { status: "merging", evidence: `${change.wish.by} asked for the merge` };
  }
  const conflict = blockers.find(({ text }) => text.startsWith("it conflicts"));
  if (conflict !== undefined) return { status: "conflict", evidence: conflict.text };
  const running = blockers.find(({ text, passes }) => passes && text.startsWith("check "));
  if (running !== undefined) return { status: "checks-running", evidence: running.text };
  const review = blockers.find(({ text }) => text.includes("approval"));
  if (review !== undefined) return { status: "review-pending", evidence: review.text };
  const lasting = blockers.find(({ passes }) => !passes);
  return lasting === undefined
    ? { status: "checks-running", evidence: first.text }
    : { status: "blocked", evidence: lasting.text };
}

/** Problems of a pull request that a person was told of and has not put aside. */
export function escalatedProblems(problems: Readonly<Record<string, Problem>>): readonly Problem[] {
  return Object.values(problems).filter((problem) => problem.escalatedAt !== null && !problem.acknowledged);
}
