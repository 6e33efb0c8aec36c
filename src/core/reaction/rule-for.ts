import { PLAIN_RULE, type ProjectPolicy, type ReactionRule } from "../policy.ts";

/** The rule for a reaction key; a person hears of what has none. */
export function ruleFor(policy: ProjectPolicy, key: string): ReactionRule {
  return policy.reactions[key] ?? PLAIN_RULE;
}
