import type { ChangeState } from "../change/state.ts";
import type { ProjectPolicy } from "../policy.ts";
import { unbuiltPolicies } from "./blockers.ts";

/** Does the rule for approved and green changes merge without a person? */
export function mergesAutomatically(policy: ProjectPolicy): boolean {
  const rule = policy.reactions["approved-and-green"];
  if (rule === undefined || unbuiltPolicies(policy).length > 0) return false;
  return rule.auto && rule.action === "merge" && rule.condition === null;
}

/** Has a person taken back the requested merge of this very commit? */
export function isMergeCancelled(change: ChangeState): boolean {
  return change.mergeCancelled?.head === change.head;
}
