/** What a rule is about. */
export const RULE_KINDS = [
  "check",
  "approvals",
  "changes-requested",
  "conflicts",
  "parent",
  "train",
  "label",
  "paths",
  "size",
  "condition",
  "quiet-hours",
  "forge",
  "pause",
] as const;
export type RuleKind = (typeof RULE_KINDS)[number];
