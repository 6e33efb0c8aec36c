import type { ProjectPolicy } from "../policy.ts";
import { isSame } from "../same.ts";

/** What decides about merges. */
const MERGE_RULES = ["merging", "checks", "train", "trust"] as const satisfies readonly (keyof ProjectPolicy)[];

/** What else a replay decides again. The rest, such as hooks and hibernation, changes no decision that it makes. */
const OTHER_RULES = ["reactions", "mainGuard", "budget", "reruns"] as const satisfies readonly (keyof ProjectPolicy)[];

/** Would a replay under these rules decide by different ones? */
export function changesRules(before: ProjectPolicy, after: ProjectPolicy): boolean {
  return [...MERGE_RULES, ...OTHER_RULES].some((key) => !isSame(before[key], after[key]));
}

/** Does a project that gets other rules about merges merge automatically under them? */
export function automatesMerging(before: ProjectPolicy, after: ProjectPolicy): boolean {
  const [old, rule] = [before, after].map(({ reactions }) => reactions["approved-and-green"]);
  const isChanged = MERGE_RULES.some((key) => !isSame(before[key], after[key])) || !isSame(old, rule);
  return isChanged && rule?.auto === true && rule.action === "merge";
}
