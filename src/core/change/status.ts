import { shortCommit } from "../hash.ts";
import {
  type Blocker,
  blockersOf,
  CHECK_WORDS,
  describeBlockerNow,
  isOptional,
  isTemporary,
} from "../merge/blockers.ts";
import type { Parent } from "../stack/parent.ts";
import { describePlace } from "../train/status.ts";
import type { World } from "../world.ts";
import { describeQueue } from "./forge-queue.ts";
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

type Status = ChangeStatus["status"];

/**
 * The status of a pull request, with its evidence: the worst problem, or what comes next. Only required checks decide.
 */
export function deriveChangeStatus(world: World, change: ChangeState): ChangeStatus {
  if (change.merged !== null) return { status: "merged", evidence: `merged as ${shortCommit(change.merged.commit)}` };
  if (change.phase === "closed") return { status: "closed", evidence: "closed without a merge" };
  const { status, evidence } = deriveOpen(world, change);
  return { status, evidence: [evidence, ...optionalFailures(world, change)].join("; ") };
}

function deriveOpen(world: World, change: ChangeState): ChangeStatus {
  const { mergeRequest } = change;
  if (mergeRequest?.queue !== undefined) return { status: "merging", evidence: describeQueue(mergeRequest.queue) };
  if (mergeRequest?.reason != null) return { status: "merge-waits", evidence: mergeRequest.reason };
  const blockers = blockersOf(world, change);
  if (blockers === null) return { status: "blocked", evidence: "the project's configuration is not loaded yet" };
  const worst = ORDER.flatMap((status) => blockers.find((blocker) => statusOf(blocker) === status) ?? [])[0];
  if (worst !== undefined) return { status: statusOf(worst), evidence: describeBlockerNow(world, change, worst) };
  return mergeRequest === null
    ? { status: "mergeable", evidence: "approved and green" }
    : { status: "merging", evidence: describePlace(world, change) ?? `${mergeRequest.by} requested the merge` };
}

/** Which of several blockers names the status. */
const ORDER: readonly Status[] = [
  "ci-failed",
  "check-setup-failed",
  "changes-requested",
  "conflict",
  "checks-running",
  "review-pending",
  "blocked",
  "merge-waits",
];

function statusOf(blocker: Blocker): Status {
  switch (blocker.kind) {
    case "check":
      if (isTemporary(blocker)) return "checks-running";
      if (blocker.state === "failed" || blocker.state === "timed-out") return "ci-failed";
      return blocker.state === "absent" || blocker.state === "not-run-here" ? "blocked" : "check-setup-failed";
    case "train":
      return "ci-failed";
    case "changes-requested":
      return "changes-requested";
    case "approvals":
      return "review-pending";
    case "merge-untried":
    case "unreported":
      return "checks-running";
    case "unpublished":
      return blocker.isPending ? "checks-running" : "blocked";
    case "draft":
      return blocker.isOwn ? "checks-running" : "blocked";
    case "unmeasured":
      return blocker.isPending ? "checks-running" : "review-pending";
    case "path":
    case "held":
    case "too-large":
      return "review-pending";
    case "conflict":
      return "conflict";
    case "paused":
      return "merge-waits";
    case "parent":
      return statusOfParent(blocker.parent);
    case "not-open":
    case "mergeability-unknown":
    case "label":
    case "rule":
    case "forge":
      return "blocked";
  }
}

function statusOfParent({ gone }: Parent): Status {
  return gone === undefined ? "merge-waits" : "blocked";
}

// They do not block a merge, but nobody should merge without knowing about them.
function optionalFailures(world: World, change: ChangeState): readonly string[] {
  const policy = world.project(change.projectId)?.policy ?? null;
  if (policy === null) return [];
  return Object.values(change.checks).flatMap(({ name, state }) => {
    const isRed = state === "failed" || state === "timed-out";
    return isRed && isOptional(policy, name) ? [`optional check \`${name}\` ${CHECK_WORDS[state]}`] : [];
  });
}
