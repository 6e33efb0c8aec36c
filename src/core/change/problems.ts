import { shortCommit, shortHash } from "../hash.ts";
import { isMergeCancelled, mergesAutomatically } from "../merge/auto-merge.ts";
import { findBlockers, requiredOf, runsOnChanges } from "../merge/blockers.ts";
import type { ProjectPolicy } from "../policy.ts";
import type { DetectedProblem, DetectedProblems } from "../reaction/detected-problem.ts";
import { fenceFiles, quoteName } from "../reaction/template.ts";
import { failedChecks, setupFailures } from "./check-problems.ts";
import { heldPush, unpublished } from "./forge-problems.ts";
import { namesOf } from "./names.ts";
import { removedFromQueue } from "./queue-problem.ts";
import { isRejectionOpen, rejected } from "./rejection.ts";
import { isReviewUndetermined, reviewProblems } from "./review-problems.ts";
import type { ChangeState, MergeFacts } from "./state.ts";
import { hasTrustedNames } from "./trust.ts";

/** The problems of a change that an agent or a person has to solve. */
export function detectChangeProblems(
  change: ChangeState,
  policy: ProjectPolicy,
  baseHead: string | null,
): DetectedProblems {
  if (change.phase !== "open") return { open: [], isUndetermined: () => false };
  const blockers = findBlockers(change, policy, baseHead);
  const isReady = blockers.length === 0;
  const open = [
    ...failedChecks(change, policy),
    ...rejected(change, policy),
    ...reviewProblems(change, policy.trust),
    ...conflict(change, baseHead),
    ...untried(change, baseHead),
    ...withoutParent(change),
    ...setupFailures(change, policy),
    ...(isReady && isForPerson(change, policy) ? [readyProblem(change)] : []),
    ...heldMerge(change),
    ...refusedMerge(change),
    ...addedLabels(change, policy),
    ...unpublished(change),
    ...heldPush(change, policy.trust),
  ];
  return { open, isUndetermined: (id) => isUndetermined(change, policy, id, baseHead) };
}

function isForPerson(change: ChangeState, policy: ProjectPolicy): boolean {
  return change.mergeRequest === null && (!mergesAutomatically(change, policy) || isMergeCancelled(change));
}

// A pending check or an untried merge does not resolve a problem.
function isUndetermined(change: ChangeState, policy: ProjectPolicy, id: string, baseHead: string | null): boolean {
  const facts = currentTry(change, baseHead);
  if (id === "merge-conflict") return facts === null || facts.kind === "unknown";
  if (id === "merge-untried") return facts === null;
  if (isRejectionOpen(change, id)) return true;
  if (isReviewUndetermined(change, id, policy.trust)) return true;
  return isCheckUndetermined(change, policy, id);
}

function isCheckUndetermined(change: ChangeState, policy: ProjectPolicy, id: string): boolean {
  const [, kind, name] = /^(ci-failed|check-setup):(.*)$/s.exec(id) ?? [];
  const rule = name === undefined ? undefined : policy.checks[name];
  const isReported = rule === undefined && change.forge !== undefined;
  if (name === undefined || !(isReported || (rule !== undefined && runsOnChanges(rule)))) return false;
  // Nobody waits for an optional check.
  if (kind === "ci-failed" && !requiredOf(change, policy).includes(name)) return false;
  const state = change.checks[name]?.state;
  // Red is not green, but it was set up.
  if (kind === "check-setup" && (state === "failed" || state === "timed-out")) return false;
  return state !== "passed";
}

function currentTry(change: ChangeState, baseHead: string | null): ChangeState["mergeability"] {
  const facts = change.mergeability;
  return facts?.head === change.head && facts.baseHead === baseHead ? facts : null;
}

function conflict(change: ChangeState, baseHead: string | null): readonly DetectedProblem[] {
  const facts = currentTry(change, baseHead);
  if (facts?.kind !== "conflict") return [];
  // The local branch of this name is not the forge's: use its commit.
  const base = change.forge === undefined ? change.base : shortCommit(facts.baseHead);
  return [
    {
      id: "merge-conflict",
      key: "merge-conflict",
      // A base that moves while the same files conflict is no news to the agent that resolves them.
      occurrence: `${shortCommit(facts.head)}.${shortHash(facts.files.join("\n"))}`,
      text: `${change.branch} conflicts with ${change.base} in ${facts.files.slice(0, 5).join(", ")}`,
      variables: (reader) => ({
        ...namesOf(change, reader),
        base,
        head: shortCommit(change.head),
        resolve: howToResolve(change, facts, base),
        files: fenceFiles("files in conflict", facts.files, reader),
      }),
    },
  ];
}

function howToResolve({ branch, landed }: ChangeState, { startsAfter }: MergeFacts, base: string): string {
  if (landed === undefined || startsAfter === undefined) {
    return `Merge ${base} into ${branch} (git merge ${base}), resolve the conflicts so that both changes keep working, and commit.`;
  }
  return [
    `Your branch started from pull request #${landed.number}, which is merged: ${base} has its changes in other commits.`,
    `Drop its commits from ${branch} (git rebase --onto ${base} ${startsAfter}), and resolve the conflicts so that both changes keep working.`,
  ].join("\n");
}

// It would wait forever.
function withoutParent(change: ChangeState): readonly DetectedProblem[] {
  const { stackedOn } = change;
  if (stackedOn?.gone === undefined) return [];
  return [
    {
      id: "parent-gone",
      key: "merge-waits",
      occurrence: stackedOn.gone,
      text: stackedOn.gone,
      variables: (reader) => namesOf(change, reader),
    },
  ];
}

// Nothing else would ever end this wait, so a person has to know.
function untried(change: ChangeState, baseHead: string | null): readonly DetectedProblem[] {
  const facts = currentTry(change, baseHead);
  if (facts?.kind !== "unknown") return [];
  return [
    {
      id: "merge-untried",
      key: "merge-failed",
      occurrence: `${shortCommit(facts.head)}.${shortCommit(facts.baseHead)}`,
      text: `mergeability unknown: ${facts.reason ?? "no reason known"}`,
      variables: (reader) => namesOf(change, reader),
    },
  ];
}

function readyProblem(change: ChangeState): DetectedProblem {
  return {
    id: "approved-and-green",
    key: "approved-and-green",
    occurrence: shortCommit(change.head),
    text: `#${change.number} is approved and green`,
    variables: (reader) => namesOf(change, reader),
  };
}

function heldMerge(change: ChangeState): readonly DetectedProblem[] {
  const { mergeRequest: request } = change;
  if (request === null || request.reason === null || request.isPlanned === true) return [];
  return [
    {
      id: "merge-waits",
      key: "merge-waits",
      occurrence: `${shortCommit(request.head)}.${request.reason}`,
      text: request.reason,
      variables: (reader) => namesOf(change, reader),
    },
  ];
}

function refusedMerge(change: ChangeState): readonly DetectedProblem[] {
  const { refusal } = change;
  if (refusal === null || change.mergeRequest !== null || refusal.head !== change.head) return [];
  if (refusal.queue !== undefined) return [removedFromQueue(change, refusal.queue, refusal)];
  return [
    {
      id: "merge-failed",
      key: "merge-failed",
      occurrence: `${shortCommit(refusal.head)}.${change.refusals}`,
      text: `merge failed: ${refusal.reason}`,
      variables: (reader) => namesOf(change, reader),
    },
  ];
}

// Most projects have no rule about labels, and nobody is notified of them by default.
function addedLabels(change: ChangeState, policy: ProjectPolicy): readonly DetectedProblem[] {
  if (policy.reactions["label-added"] === undefined) return [];
  return change.labels.map((label) => ({
    id: `label-added:${label}`,
    key: "label-added",
    occurrence: label,
    text: `label \`${label}\` was added`,
    variables: (reader) => ({
      ...namesOf(change, reader),
      label: quoteName("label", label, { ...reader, isTrusted: hasTrustedNames(change) }),
    }),
  }));
}
