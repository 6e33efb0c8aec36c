import { approversOf, openRequests } from "../change/review.ts";
import type { ChangeState } from "../change/state.ts";
import type { CheckRule, ProjectPolicy } from "../policy.ts";

/** Why a change cannot be merged now. */
export interface Blocker {
  readonly text: string;
  /** It goes away by itself, or is on its way; a wish to merge may wait for it. */
  readonly passes: boolean;
}

/** Everything that stands between a change and its merge; empty: it may be merged. */
export function findBlockers(change: ChangeState, policy: ProjectPolicy, baseHead: string | null): readonly Blocker[] {
  if (change.phase !== "open") return [{ text: `it is ${change.phase}`, passes: false }];
  return [
    ...checkBlockers(change, policy),
    ...reviewBlockers(change, policy),
    ...mergeBlockers(change, baseHead),
    ...labelBlockers(change, policy),
  ];
}

/** The checks that a merge needs: those that the policy names, else all that are marked as required. */
export function requiredChecks(policy: ProjectPolicy): readonly string[] {
  if (policy.merging.checks.length > 0) return policy.merging.checks;
  return Object.entries(policy.checks)
    .filter(([, rule]) => rule.required && runsOnChanges(rule))
    .map(([name]) => name);
}

/** Does this check run for pull requests? */
export function runsOnChanges(rule: CheckRule): boolean {
  return rule.on.includes("pr");
}

/** Settings whose feature is not built: until it is, only a person's word merges under them. */
export function unbuiltPolicies(policy: ProjectPolicy): readonly string[] {
  const { paths, maxFiles, maxLines, quietHours, rules } = policy.merging;
  return [
    ...(Object.keys(paths).length > 0 ? ["paths"] : []),
    ...(maxFiles !== null ? ["maxFiles"] : []),
    ...(maxLines !== null ? ["maxLines"] : []),
    ...(quietHours !== null ? ["quietHours"] : []),
    ...(rules.length > 0 ? ["rules"] : []),
  ];
}

function checkBlockers(change: ChangeState, policy: ProjectPolicy): readonly Blocker[] {
  return requiredChecks(policy).flatMap((name): readonly Blocker[] => {
    const run = change.checks[name];
    const rule = policy.checks[name];
    if (rule === undefined) return [{ text: `no check is named ${name}`, passes: false }];
    if (!runsOnChanges(rule)) return [{ text: `check ${name} does not run for pull requests`, passes: false }];
    if (run === undefined || run.state === "queued") return [{ text: `check ${name} has not run yet`, passes: true }];
    if (run.state === "running") return [{ text: `check ${name} is running`, passes: true }];
    if (run.state === "passed") return [];
    return [{ text: `check ${name} ${SAY[run.state]}`, passes: false }];
  });
}

const SAY = {
  failed: "failed",
  "timed-out": "did not end in time",
  "setup-failed": "could not be set up",
  cancelled: "was cancelled",
  unknown: "has no known result",
} as const;

function reviewBlockers(change: ChangeState, policy: ProjectPolicy): readonly Blocker[] {
  const asked = openRequests(change).map(
    (review): Blocker => ({ text: `${review.author} asked for changes`, passes: false }),
  );
  const missing = policy.merging.approvals - approversOf(change).length;
  if (missing <= 0) return asked;
  return [...asked, { text: `it needs ${missing} approval${missing === 1 ? "" : "s"} of this commit`, passes: false }];
}

function mergeBlockers(change: ChangeState, baseHead: string | null): readonly Blocker[] {
  const facts = change.mergeability;
  if (facts === null || facts.head !== change.head || facts.baseHead !== baseHead) {
    return [{ text: "it is being tried against the base", passes: true }];
  }
  if (facts.kind === "clean") return [];
  const what = facts.kind === "conflict" ? `it conflicts with ${change.base}` : (facts.reason ?? "it cannot be tried");
  return [{ text: what, passes: false }];
}

function labelBlockers(change: ChangeState, policy: ProjectPolicy): readonly Blocker[] {
  return change.labels
    .filter((label) => policy.merging.blockLabels.includes(label))
    .map((label) => ({ text: `the label ${label} blocks it`, passes: false }));
}
