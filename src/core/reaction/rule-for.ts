import { PLAIN_RULE, type ProjectPolicy, type ReactionRule } from "../policy.ts";
import { UNTRUSTED_KEY } from "./untrusted.ts";

/** The rule for a reaction key; without one, a person is notified. */
export function ruleFor(policy: ProjectPolicy, key: string): ReactionRule {
  return key === UNTRUSTED_KEY ? UNTRUSTED_RULE : (policy.reactions[key] ?? PLAIN_RULE);
}

// These words are never sent without a person; `trust` says whose they are.
const UNTRUSTED_RULE: ReactionRule = { ...PLAIN_RULE, action: "send-to-agent", retries: 1, requireApprovalAfter: 0 };
