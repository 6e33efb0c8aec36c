import type { ChangeState } from "../change/state.ts";
import type { ProjectPolicy } from "../policy.ts";
import { judgeCondition } from "../reaction/condition.ts";

const KEY = "approved-and-green";

/** Does the rule for approved and green changes merge this one without a person? */
export function mergesAutomatically(change: ChangeState, policy: ProjectPolicy): boolean {
  const rule = policy.reactions[KEY];
  if (rule === undefined || !rule.auto || rule.action !== "merge") return false;
  // A person has to look at what an agent does after reading a stranger's words.
  if (change.readUntrusted !== undefined && policy.trust?.autoMerge !== true) return false;
  const event = { key: KEY, text: "", subject: "", messages: 0 };
  return judgeCondition(rule.condition, { event, change }).isMet;
}

/** Has a person canceled the requested merge of this very commit? */
export function isMergeCancelled(change: ChangeState): boolean {
  return change.mergeCancelled?.head === change.head;
}
