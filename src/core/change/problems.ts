import { findBlockers, unbuiltPolicies } from "../merge/blockers.ts";
import type { ProjectPolicy } from "../policy.ts";
import type { Sight, Sights } from "../reaction/sight.ts";
import type { Variables } from "../reaction/template.ts";
import { fence, joinTexts } from "../reaction/template.ts";
import type { StoredText } from "../text.ts";
import { openComments, openRequests, threadsOf } from "./review.ts";
import type { ChangeState, CheckRun, Review } from "./state.ts";

/** Looks for everything that somebody has to do something about. */
export function findProblems(change: ChangeState, policy: ProjectPolicy, baseHead: string | null): Sights {
  if (change.phase !== "open") return { open: [], unclear: () => false };
  const blockers = findBlockers(change, policy, baseHead);
  const isReady = blockers.length === 0;
  const open = [
    ...failedChecks(change, policy),
    ...openRequests(change).map((review) => reviewSight(change, review, "changes-requested")),
    ...openComments(change).map((review) => reviewSight(change, review, "review-commented")),
    ...conflict(change, baseHead),
    ...setupFailures(change),
    ...(isReady && !mergesByItself(policy) && change.wish === null ? [readySight(change)] : []),
    ...heldMerge(change),
    ...refusedMerge(change),
  ];
  return { open, unclear: (id) => isUnclear(change, policy, id, baseHead) };
}

/** Does the rule for approved and green changes merge without a person? */
export function mergesByItself(policy: ProjectPolicy): boolean {
  const rule = policy.reactions["approved-and-green"];
  if (rule === undefined || unbuiltPolicies(policy).length > 0) return false;
  return rule.auto && rule.action === "merge" && rule.condition === null;
}

// A check that has not ended on this commit, or a merge that was not tried yet, takes no problem away.
function isUnclear(change: ChangeState, policy: ProjectPolicy, id: string, baseHead: string | null): boolean {
  if (id === "merge-conflict") {
    const facts = change.mergeability;
    return facts === null || facts.head !== change.head || facts.baseHead !== baseHead || facts.kind === "unknown";
  }
  const name = /^(?:ci-failed|check-setup):(.*)$/s.exec(id)?.[1];
  if (name === undefined || policy.checks[name] === undefined) return false;
  const run = change.checks[name];
  return run === undefined || run.state !== "passed";
}

function failedChecks(change: ChangeState, policy: ProjectPolicy): readonly Sight[] {
  return Object.values(change.checks)
    .filter((run) => run.state === "failed" || run.state === "timed-out")
    .map((run) => ({
      id: `ci-failed:${run.name}`,
      key: "ci-failed",
      occurrence: `${short(run.head)}.${run.fingerprint}`,
      text: `check ${run.name} ${run.state === "failed" ? `failed with exit code ${run.code ?? "?"}` : "did not end in time"} on ${short(run.head)}`,
      variables: () => checkVariables(change, run, policy.checks[run.name]?.run ?? run.name),
    }));
}

function checkVariables(change: ChangeState, run: CheckRun, command: string): Variables {
  const result = run.state === "failed" ? `failed with exit code ${run.code ?? "?"}` : "did not end in time";
  return {
    ...common(change),
    check: run.name,
    result,
    command,
    head: short(run.head),
    errors: fence(`log of ${run.name}`, run.log ?? { inline: "" }),
  };
}

function setupFailures(change: ChangeState): readonly Sight[] {
  return Object.values(change.checks)
    .filter((run) => run.state === "setup-failed" || run.state === "unknown")
    .map((run) => ({
      id: `check-setup:${run.name}`,
      key: "check-setup",
      occurrence: `${short(run.head)}.${run.attempt}`,
      text: `check ${run.name} ${run.state === "unknown" ? "has no known result" : "could not be set up"} on ${short(run.head)}`,
      variables: () => checkVariables(change, run, run.name),
    }));
}

function reviewSight(change: ChangeState, review: Review, key: string): Sight {
  return {
    id: `${key}:${review.id}`,
    key,
    occurrence: `${review.id}${repliesOf(change, review)}`,
    text: `${review.author} ${key === "changes-requested" ? "asked for changes" : "commented"}`,
    variables: () => ({
      ...common(change),
      reviewer: review.author,
      head: short(review.head),
      comments: commentsOf(change, review),
    }),
  };
}

// What a person adds later is news; what the agent replies is not.
function repliesOf(change: ChangeState, review: Review): string {
  const replies = threadsOf(change, review.id)
    .filter((thread) => thread.resolvedBy === null)
    .flatMap((thread) => thread.comments.slice(1).filter((comment) => !comment.byAgent));
  return replies.length === 0 ? "" : `+${replies.at(-1)?.id}`;
}

function commentsOf(change: ChangeState, review: Review): StoredText {
  const pieces: StoredText[] = [];
  if (review.body !== null) pieces.push(review.body, { inline: "\n" });
  for (const thread of threadsOf(change, review.id)) {
    if (thread.resolvedBy !== null) continue;
    const place = thread.path === null ? "" : `${thread.path}${thread.line === null ? "" : `:${thread.line}`}: `;
    for (const comment of thread.comments) {
      if (comment.byAgent) continue;
      pieces.push({ inline: `- [thread ${thread.id}] ${place}` }, comment.text, { inline: "\n" });
    }
  }
  return fence(`review by ${review.author}`, joinTexts(pieces));
}

function conflict(change: ChangeState, baseHead: string | null): readonly Sight[] {
  const facts = change.mergeability;
  if (facts?.kind !== "conflict" || facts.head !== change.head || facts.baseHead !== baseHead) return [];
  return [
    {
      id: "merge-conflict",
      key: "merge-conflict",
      occurrence: `${short(facts.head)}.${short(facts.baseHead)}`,
      text: `${change.branch} conflicts with ${change.base} in ${facts.files.slice(0, 5).join(", ")}`,
      variables: () => ({
        ...common(change),
        head: short(change.head),
        files: fence("files in conflict", { inline: facts.files.slice(0, 100).join("\n") }),
      }),
    },
  ];
}

function readySight(change: ChangeState): Sight {
  return {
    id: "approved-and-green",
    key: "approved-and-green",
    occurrence: short(change.head),
    text: `#${change.number} is approved and green`,
    variables: () => common(change),
  };
}

function heldMerge(change: ChangeState): readonly Sight[] {
  const { wish } = change;
  if (wish === null || wish.reason === null) return [];
  return [
    {
      id: "merge-waits",
      key: "merge-waits",
      occurrence: `${short(wish.head)}.${wish.reason}`,
      text: wish.reason,
      variables: () => common(change),
    },
  ];
}

function refusedMerge(change: ChangeState): readonly Sight[] {
  const { refusal } = change;
  if (refusal === null || change.wish !== null || refusal.head !== change.head) return [];
  return [
    {
      id: "merge-failed",
      key: "merge-failed",
      occurrence: `${short(refusal.head)}.${change.refusals}`,
      text: `the merge did not work: ${refusal.reason}`,
      variables: () => common(change),
    },
  ];
}

function common(change: ChangeState): Variables {
  return {
    pr: `#${change.number}`,
    number: String(change.number),
    title: change.title,
    branch: change.branch,
    base: change.base,
  };
}

/** The first characters of a commit, as people write it. */
export function short(commit: string): string {
  return commit.slice(0, 10);
}
