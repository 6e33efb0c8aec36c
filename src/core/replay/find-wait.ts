import type { ChangeState } from "../change/state.ts";
import { isMergeCancelled, mergesAutomatically } from "../merge/auto-merge.ts";
import { type Blocker, findBlockers } from "../merge/blockers.ts";
import type { ProjectPolicy } from "../policy.ts";

/** Blockers that only a person can clear. */
type PersonKind = "approvals" | "label" | "path" | "held" | "too-large" | "rule";

/** What a person has to do before the merge; null: only to merge. */
export type WaitReason = Extract<Blocker, { readonly kind: PersonKind }> | null;

/** Facts that no rule needed at the time, so that the log does not have them. */
export type Unrecorded = { readonly kind: "size" } | { readonly kind: "check"; readonly name: string };

/** What keeps an otherwise finished pull request from its merge. */
export type Wait =
  | { readonly kind: "person"; readonly reason: WaitReason }
  | { readonly kind: "unrecorded"; readonly what: Unrecorded };

const PERSON_KINDS: readonly Blocker["kind"][] = ["approvals", "label", "path", "held", "too-large", "rule"];

/**
 * What a pull request waits for once its agent, its checks and its forge are done; null: they are not, or its merge was requested.
 */
export function findWait(change: ChangeState, policy: ProjectPolicy, baseHead: string | null): Wait | null {
  if (change.phase !== "open" || change.mergeRequest !== null) return null;
  const blockers = findBlockers(change, asMeasured(change, policy), baseHead);
  const unrecorded = blockers.flatMap((blocker) => unrecordedBy(blocker, change));
  const reasons = blockers.filter(isForPerson);
  if (reasons.length + unrecorded.length < blockers.length) return null;
  const [reason] = reasons;
  if (reason !== undefined) return { kind: "person", reason };
  const [what] = unrecorded;
  if (what !== undefined) return { kind: "unrecorded", what };
  const isRefused = change.refusal?.head === change.head;
  const isAutomatic = mergesAutomatically(change, policy) && !isMergeCancelled(change) && !isRefused;
  return isAutomatic ? null : { kind: "person", reason: null };
}

// The log has what the built-in rule of its time held, if there was one.
function asMeasured({ mergeability }: ChangeState, { held, ...policy }: ProjectPolicy): ProjectPolicy {
  const facts = mergeability?.size?.held;
  return held === undefined || facts === undefined ? policy : { ...policy, held: { ...held, key: facts.rule } };
}

function isForPerson(blocker: Blocker): blocker is Exclude<WaitReason, null> {
  return PERSON_KINDS.includes(blocker.kind);
}

// Sizes are measured and checks run only if a rule needs them.
function unrecordedBy(blocker: Blocker, { checks }: ChangeState): readonly Unrecorded[] {
  if (blocker.kind === "unmeasured") return [{ kind: "size" }];
  if (blocker.kind !== "check" || checks[blocker.name] !== undefined) return [];
  return blocker.state === "queued" ? [{ kind: "check", name: blocker.name }] : [];
}
