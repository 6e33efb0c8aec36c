import { findGlobFault } from "../core/glob/glob.ts";
import { findPatternFault } from "../core/reaction/condition.ts";
import type { Finding } from "./problem.ts";
import { policyPlaces, reactionPlaces } from "./rule-places.ts";
import type { WrittenConfig } from "./schema.ts";

/**
 * Valid conditions and globs that `ao` cannot evaluate in bounded time. Only their own rule is off, on the safe side: a merge is held,
 * and a person is notified.
 */
export function findUndecidedRules(written: WrittenConfig): readonly Finding[] {
  const conditions = reactionPlaces(written).flatMap(([path, reactions]) =>
    Object.entries(reactions).flatMap(([key, reaction]) => {
      const hint = "until you change it, ao notifies you instead of acting";
      return reaction?.condition === undefined ? [] : find(reaction.condition, [...path, key, "condition"], hint);
    }),
  );
  const rules = policyPlaces(written).flatMap(([path, policies]) =>
    (policies?.rules ?? []).flatMap(({ unless }, index) =>
      find(unless, [...path, "rules", index, "unless"], "until you change it, it blocks every merge"),
    ),
  );
  const globs = policyPlaces(written).flatMap(([path, policies]) =>
    Object.entries(policies?.paths ?? {}).flatMap(([glob, rule]): readonly Finding[] => {
      const fault = findGlobFault(glob);
      const hint =
        rule === "none"
          ? "until you change it, it lifts nothing"
          : "until you change it, every pull request needs a person's approval";
      return fault === null ? [] : [{ path: [...path, "paths", glob], at: "key", message: fault, hint }];
    }),
  );
  return [...conditions, ...rules, ...globs];
}

function find(expression: string, path: Finding["path"], hint: string): readonly Finding[] {
  const fault = findPatternFault(expression);
  return fault === null ? [] : [{ path, at: "value", message: fault, hint }];
}
