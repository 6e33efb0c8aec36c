import { describeRefusal, type Refusal } from "../cause/find-refusal.ts";
import type { Rejection } from "../change/merge-request.ts";
import { type CheckProgress, describeProgress } from "../change/progress.ts";
import { approversOf, openRequests } from "../change/review.ts";
import type { ChangeState, CheckState } from "../change/state.ts";
import type { CheckRule, ProjectPolicy } from "../policy.ts";
import { baseHeadOf } from "../stack/base.ts";
import { nameParent, type Parent } from "../stack/parent.ts";
import { isPaused, type World } from "../world.ts";
import { describePolicyBlocker, type PolicyBlocker, policyBlockers } from "./policy-blockers.ts";

/** The state of a required check that is not green. absent, not-run-here: no run can ever make it green. */
type BlockingCheck = Exclude<CheckState, "passed"> | "absent" | "not-run-here";

/** Why a change cannot be merged now, as a fact. `describeBlocker` turns it into words. */
export type Blocker =
  | { readonly kind: "not-open"; readonly phase: Exclude<ChangeState["phase"], "open"> }
  /** `onBase`: it fails on the base too, which has this name. */
  | {
      readonly kind: "check";
      readonly name: string;
      readonly state: BlockingCheck;
      readonly onBase?: string;
      readonly refused?: Refusal;
    }
  | { readonly kind: "changes-requested"; readonly author: string }
  | { readonly kind: "approvals"; readonly missing: number }
  | { readonly kind: "merge-untried" }
  | { readonly kind: "conflict"; readonly base: string; readonly files: readonly string[] }
  | { readonly kind: "mergeability-unknown"; readonly reason: string | null }
  | { readonly kind: "label"; readonly label: string }
  /** Green alone, red on the newest base. */
  | { readonly kind: "train"; readonly rejection: Rejection }
  | PolicyBlocker
  /** It is on this machine, and the project has a forge since. */
  | { readonly kind: "unpublished"; readonly isPending: boolean }
  /** The forge has not reported about this commit yet. */
  | { readonly kind: "unreported" }
  /** `isOwn`: `ao` opened it as a draft and marks it as ready; otherwise a person wants it to wait. */
  | { readonly kind: "draft"; readonly isOwn: boolean }
  /** The forge itself would not merge it. */
  | { readonly kind: "forge"; readonly reason: string }
  /** What it is stacked on has to be merged first. */
  | { readonly kind: "parent"; readonly parent: Parent }
  | { readonly kind: "paused" };

/** A change's blockers for people, including a pause once the merge is requested; null: no policy known yet. */
export function blockersOf(world: World, change: ChangeState): readonly Blocker[] | null {
  const project = world.project(change.projectId);
  const policy = project?.policy ?? null;
  if (policy === null) return null;
  const isHeld = change.mergeRequest !== null && isPaused(world, change.projectId);
  return [...findBlockers(change, policy, baseHeadOf(change, project)), ...(isHeld ? [PAUSED] : [])];
}

const PAUSED: Blocker = { kind: "paused" };

/**
 * Everything that blocks the merge of a change; empty: it may be merged. A person's override counts for its own commit.
 */
export function findBlockers(change: ChangeState, policy: ProjectPolicy, baseHead: string | null): readonly Blocker[] {
  const blockers = findAllBlockers(change, policy, baseHead);
  const { mergeRequest: request } = change;
  const isOverridden = request?.override !== undefined && request.head === change.head;
  return isOverridden ? blockers.filter((blocker) => !isOverridable(blocker)) : blockers;
}

/** May a person override it? Yes for the project's rules; no if it is red, conflicts, or either is unknown. */
export function isOverridable({ kind }: Blocker): boolean {
  return OVERRIDABLE.includes(kind);
}

const OVERRIDABLE: readonly Blocker["kind"][] = [
  "approvals",
  "label",
  "unmeasured",
  "path",
  "held",
  "too-large",
  "rule",
];

/** The same as `findBlockers`, ignoring overrides. */
export function findAllBlockers(
  change: ChangeState,
  policy: ProjectPolicy,
  baseHead: string | null,
): readonly Blocker[] {
  if (change.phase !== "open") return [{ kind: "not-open", phase: change.phase }];
  return [
    ...parentBlockers(change),
    ...checkBlockers(change, policy),
    ...reviewBlockers(change, policy),
    ...mergeBlockers(change, baseHead),
    ...labelBlockers(change, policy),
    ...trainBlockers(change, policy),
    ...policyBlockers(change, policy),
    ...forgeBlockers(change, policy),
  ];
}

/** Does it clear without a person, so that a requested merge may wait for it? */
export function isTemporary(blocker: Blocker): boolean {
  if (blocker.kind === "check") return blocker.state === "queued" || blocker.state === "running";
  if (blocker.kind === "unmeasured") return blocker.isPending;
  if (blocker.kind === "draft") return blocker.isOwn;
  if (blocker.kind === "unpublished") return blocker.isPending;
  if (blocker.kind === "parent") return blocker.parent.gone === undefined;
  return blocker.kind === "merge-untried" || blocker.kind === "unreported";
}

/** A blocker as a standalone phrase: `needs 1 approval`, `check \`unit\` running: set-up, 40 s`. */
export function describeBlocker(blocker: Blocker, progress: CheckProgress | null = null): string {
  switch (blocker.kind) {
    case "not-open":
      return `already ${blocker.phase}`;
    case "check":
      if (blocker.refused !== undefined) return `check \`${blocker.name}\` ${describeRefusal(blocker.refused)}`;
      return `check \`${blocker.name}\` ${CHECK_WORDS[blocker.state]}${alsoOn(blocker.onBase)}${afterColon(progress)}`;
    case "changes-requested":
      return `${blocker.author} requested changes`;
    case "approvals":
      return `needs ${blocker.missing} approval${blocker.missing === 1 ? "" : "s"}`;
    case "merge-untried":
      return "checking for conflicts";
    case "conflict":
      return `conflicts with ${blocker.base}${nameFiles(blocker.files)}`;
    case "mergeability-unknown":
      return `mergeability unknown${blocker.reason === null ? "" : `: ${blocker.reason}`}`;
    case "label":
      return `label \`${blocker.label}\``;
    case "train":
      return describeRejection(blocker.rejection);
    case "unpublished":
      return blocker.isPending ? "being published on the forge" : "only on this machine; `ao pr push` publishes it";
    case "unreported":
      return "waiting for the forge to report its checks";
    case "draft":
      return blocker.isOwn ? "draft until its checks pass" : "a draft on the forge; mark it as ready for review there";
    case "forge":
      return blocker.reason;
    case "parent":
      return blocker.parent.gone ?? `waits for ${nameParent(blocker.parent)}`;
    case "paused":
      return "paused; `ao resume` continues";
    default:
      return describePolicyBlocker(blocker);
  }
}

/** A blocker with the progress of a running check. */
export function describeBlockerNow(world: World, change: ChangeState, blocker: Blocker): string {
  const progress = blocker.kind === "check" ? world.checkProgress(change.key, blocker.name) : null;
  return describeBlocker(blocker, progress);
}

/** The state of a check, after its name. */
export const CHECK_WORDS: Readonly<Record<BlockingCheck, string>> = {
  queued: "queued",
  running: "running",
  failed: "failed",
  "timed-out": "timed out",
  "setup-failed": "could not be set up",
  cancelled: "was cancelled",
  unknown: "ended with unknown result",
  absent: "is not configured",
  "not-run-here": "does not run on pull requests",
};

/** The required checks: those that the policy lists, else all that are marked as required. */
export function requiredChecks(policy: ProjectPolicy): readonly string[] {
  if (policy.merging.checks.length > 0) return policy.merging.checks;
  return Object.entries(policy.checks)
    .filter(([, rule]) => rule.required && runsOnChanges(rule))
    .map(([name]) => name);
}

/** Is this an optional check of pull requests? One that is no longer configured is not. */
export function isOptional(policy: ProjectPolicy, name: string): boolean {
  const rule = policy.checks[name];
  return rule !== undefined && runsOnChanges(rule) && !requiredChecks(policy).includes(name);
}

/** Does this check run for pull requests? */
export function runsOnChanges(rule: CheckRule): boolean {
  return rule.on.includes("pr");
}

/**
 * The checks that this change needs: those of the policy and those that its forge requires; if neither lists any, all
 * that it reports.
 */
export function requiredOf(change: ChangeState, policy: ProjectPolicy): readonly string[] {
  const ours = requiredChecks(policy);
  if (change.forge === undefined) return ours;
  const theirs = change.forge.seen?.required ?? [];
  const isNamed = theirs.length > 0 || policy.merging.checks.length > 0;
  const reported = isNamed
    ? theirs
    : Object.values(change.checks).flatMap(({ name, ref }) => (ref === undefined ? [] : [name]));
  return [...new Set([...ours, ...reported])];
}

function forgeBlockers({ forge, head, transfer }: ChangeState, { scm }: ProjectPolicy): readonly Blocker[] {
  // The forge would take its number for that of another one.
  if (forge === undefined)
    return scm.plugin === "local" ? [] : [{ kind: "unpublished", isPending: transfer?.isPending ?? false }];
  const { seen, isOwnDraft = false, writes } = forge;
  const isOwn = isOwnDraft || writes.some(({ kind }) => kind === "ready");
  const draft: readonly Blocker[] = isOwn || seen?.isDraft === true ? [{ kind: "draft", isOwn }] : [];
  if (seen?.head !== head || !seen.isChecked) return [{ kind: "unreported" }, ...draft];
  return [...draft, ...(seen.blocked === null ? [] : [{ kind: "forge", reason: seen.blocked } as const])];
}

function parentBlockers({ stackedOn: parent }: ChangeState): readonly Blocker[] {
  return parent === undefined ? [] : [{ kind: "parent", parent }];
}

function checkBlockers(change: ChangeState, policy: ProjectPolicy): readonly Blocker[] {
  return requiredOf(change, policy).flatMap((name): readonly Blocker[] => {
    const rule = policy.checks[name];
    if (rule === undefined && change.forge !== undefined) return blockedBy(name, change);
    if (rule === undefined) return [{ kind: "check", name, state: "absent" }];
    if (!runsOnChanges(rule)) return [{ kind: "check", name, state: "not-run-here" }];
    return blockedBy(name, change);
  });
}

function blockedBy(name: string, change: ChangeState): readonly Blocker[] {
  const { state = "queued", attribution, refused } = change.checks[name] ?? {};
  const onBase = attribution?.cause === "base" ? { onBase: change.base } : {};
  const because = state === "setup-failed" && refused !== undefined ? { refused } : {};
  return state === "passed" ? [] : [{ kind: "check", name, state, ...onBase, ...because }];
}

function reviewBlockers(change: ChangeState, policy: ProjectPolicy): readonly Blocker[] {
  const requests = openRequests(change).map(({ author }): Blocker => ({ kind: "changes-requested", author }));
  const missing = policy.merging.approvals - approversOf(change).length;
  return missing <= 0 ? requests : [...requests, { kind: "approvals", missing }];
}

function mergeBlockers(change: ChangeState, baseHead: string | null): readonly Blocker[] {
  const facts = change.mergeability;
  if (facts === null || facts.head !== change.head || facts.baseHead !== baseHead) return [{ kind: "merge-untried" }];
  switch (facts.kind) {
    case "clean":
      return [];
    case "conflict":
      return [{ kind: "conflict", base: change.base, files: facts.files }];
    case "unknown":
      return [{ kind: "mergeability-unknown", reason: facts.reason }];
  }
}

function labelBlockers(change: ChangeState, policy: ProjectPolicy): readonly Blocker[] {
  return change.labels
    .filter((label) => policy.merging.blockLabels.includes(label))
    .map((label) => ({ kind: "label", label }));
}

function trainBlockers({ rejection, head }: ChangeState, { train }: ProjectPolicy): readonly Blocker[] {
  return train === undefined || rejection?.head !== head ? [] : [{ kind: "train", rejection }];
}

/** The merge train's finding: `check \`unit\` passes alone, fails together with #12`. */
export function describeRejection({ check, state, since }: Rejection): string {
  const red = state === "failed" ? "fails" : "times out";
  return `check \`${check}\` passes alone, ${red} ${nameCompany(since)}`;
}

/** The merged pull requests that a rejected one was tried with: `together with #9 and #12`. */
export function nameCompany(since: readonly number[]): string {
  const names = since.slice(-3).map((number) => `#${number}`);
  const more = since.length - names.length;
  if (names.length === 0) return "on the newest base";
  return `together with ${more === 0 ? "" : `${more} others, `}${names.join(", ").replace(/, ([^,]*)$/, " and $1")}`;
}

function alsoOn(base: string | undefined): string {
  return base === undefined ? "" : ` on ${base} too`;
}

function afterColon(progress: CheckProgress | null): string {
  const text = progress === null ? "" : describeProgress(progress);
  return text === "" ? "" : `: ${text}`;
}

function nameFiles(files: readonly string[]): string {
  if (files.length === 0) return "";
  return ` in ${files.slice(0, 3).join(", ")}${files.length > 3 ? ` and ${files.length - 3} more` : ""}`;
}
