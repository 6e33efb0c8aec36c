import { approversOf } from "../change/review.ts";
import type { ChangeState } from "../change/state.ts";
import type { ProjectPolicy } from "../policy.ts";
import {
  type Blocker,
  describeBlocker,
  findAllBlockers,
  isOverridable,
  isTemporary,
  requiredChecks,
} from "./blockers.ts";
import { heldPathsOf, listHeld, personPaths } from "./policy-blockers.ts";
import { quietUntil } from "./quiet-hours.ts";
import type { RuleKind } from "./rule-kind.ts";

/**
 * met: no objection to the merge. waiting: clears by itself. blocking: someone has to act. overridden: a person merges
 * anyway.
 */
export type Verdict = "met" | "waiting" | "blocking" | "overridden";

/** One rule of a project, and its current verdict on a merge. */
export interface RuleVerdict {
  readonly kind: RuleKind;
  readonly rule: string;
  readonly verdict: Verdict;
  readonly text: string;
  /** How many approvals are missing; only for that rule. */
  readonly missing?: number;
}

/** Every rule that decides about the merge of an open change, in the order in which people think of them. */
export function explainMerge(
  change: ChangeState,
  policy: ProjectPolicy,
  facts: { readonly baseHead: string | null; readonly now: number },
): readonly RuleVerdict[] {
  const blockers = findAllBlockers(change, policy, facts.baseHead);
  const judge = createJudge(change, blockers);
  const { merging } = policy;
  return [
    ...requiredChecks(policy).map((name) =>
      judge(["check", `check \`${name}\``], (one) => one.kind === "check" && one.name === name, "passed"),
    ),
    {
      ...judge(["approvals", "approvals"], isAboutApprovals, describeApprovals(change, merging.approvals)),
      missing: blockers.find(isAboutApprovals)?.missing ?? 0,
    },
    judge(["changes-requested", "requested changes"], ({ kind }) => kind === "changes-requested", "none are open"),
    judge(["conflicts", "conflicts"], isAboutConflicts, `merges cleanly into ${change.base}`),
    ...(blockers.some(isAboutParent) ? [judge(["parent", "stacked pull request"], isAboutParent, "")] : []),
    ...(blockers.some(isAboutTrain) ? [judge(["train", "merge train"], isAboutTrain, "")] : []),
    ...merging.blockLabels.map((label) =>
      judge(["label", `label \`${label}\``], (one) => one.kind === "label" && one.label === label, "not set"),
    ),
    ...heldVerdict(judge, change, policy),
    ...personPaths(merging).map((pattern) =>
      judge(
        ["paths", `paths \`${pattern}\``],
        (one) => isAboutPath(one, pattern),
        "none changed, or a person approved",
      ),
    ),
    ...limitVerdicts(judge, "files", merging.maxFiles),
    ...limitVerdicts(judge, "lines", merging.maxLines),
    ...merging.rules.map(({ unless, say }) =>
      judge(["condition", `rule \`${unless}\``], (one) => one.kind === "rule" && one.say === say, "true"),
    ),
    ...quietVerdict(change, policy, facts.now),
    ...(blockers.some(isAboutForge) ? [judge(["forge", "forge"], isAboutForge, "")] : []),
  ];
}

type Judge = (
  named: readonly [kind: RuleKind, rule: string],
  isAbout: (blocker: Blocker) => boolean,
  met: string,
) => RuleVerdict;

function createJudge(change: ChangeState, blockers: readonly Blocker[]): Judge {
  const isOverridden = change.mergeRequest?.override !== undefined && change.mergeRequest.head === change.head;
  return ([kind, rule], isAbout, met) => {
    const found = blockers.filter(isAbout);
    const text = found.map((blocker) => describeBlocker(blocker)).join("; ");
    if (found.length === 0) return { kind, rule, verdict: "met", text: met };
    if (isOverridden && found.every(isOverridable)) return { kind, rule, verdict: "overridden", text };
    return { kind, rule, verdict: found.every(isTemporary) ? "waiting" : "blocking", text };
  };
}

function describeApprovals(change: ChangeState, needed: number): string {
  const names = approversOf(change);
  if (names.length > 0) return `approved by ${names.join(", ")}`;
  return needed === 0 ? "none needed" : "given";
}

function isAboutApprovals(blocker: Blocker): blocker is Extract<Blocker, { readonly kind: "approvals" }> {
  return blocker.kind === "approvals";
}

function isAboutForge({ kind }: Blocker): boolean {
  return kind === "forge" || kind === "unreported" || kind === "draft";
}

function isAboutConflicts({ kind }: Blocker): boolean {
  return kind === "conflict" || kind === "merge-untried" || kind === "mergeability-unknown";
}

function isAboutParent({ kind }: Blocker): boolean {
  return kind === "parent";
}

function isAboutTrain({ kind }: Blocker): boolean {
  return kind === "train";
}

function isAboutPath(blocker: Blocker, pattern: string): boolean {
  return blocker.kind === "unmeasured" || (blocker.kind === "path" && blocker.pattern === pattern);
}

// Most pull requests change nothing that is held.
function heldVerdict(judge: Judge, change: ChangeState, policy: ProjectPolicy): readonly RuleVerdict[] {
  const held = heldPathsOf(change, policy);
  const isAbout = (one: Blocker): boolean =>
    one.kind === "held" || (policy.held !== undefined && one.kind === "unmeasured");
  const verdict = judge(["paths", "held files"], isAbout, `a person approved ${listHeld(held)}`);
  return verdict.verdict === "met" && held.paths.length + held.more === 0 ? [] : [verdict];
}

function limitVerdicts(judge: Judge, what: "files" | "lines", limit: number | null): readonly RuleVerdict[] {
  if (limit === null) return [];
  const isAbout = (one: Blocker): boolean =>
    one.kind === "unmeasured" || (one.kind === "too-large" && one.what === what);
  return [judge(["size", `at most ${limit} ${what}`], isAbout, "within the limit, or a person approved")];
}

function quietVerdict({ mergeRequest }: ChangeState, policy: ProjectPolicy, now: number): readonly RuleVerdict[] {
  const hours = policy.merging.quietHours;
  if (hours === null) return [];
  const rule = `quiet hours ${hours.from}-${hours.to}${hours.timeZone === null ? "" : ` ${hours.timeZone}`}`;
  if (quietUntil(hours, now) === null) return [{ kind: "quiet-hours", rule, verdict: "met", text: "not now" }];
  const verdict = mergeRequest?.override === undefined ? "waiting" : "overridden";
  return [{ kind: "quiet-hours", rule, verdict, text: `nothing is merged until ${hours.to}` }];
}
