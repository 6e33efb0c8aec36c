import type { ChangeState, CheckRun } from "../core/change/state.ts";
import { type CheckRule, PLAIN_RULE, type ProjectPolicy, type ReactionRule } from "../core/policy.ts";
import type { Problem } from "../core/reaction/problem.ts";

/** A rule that messages the agent at most twice. */
export function aRule(facts: Partial<ReactionRule> = {}): ReactionRule {
  return { ...PLAIN_RULE, action: "send-to-agent", retries: 2, priority: null, ...facts };
}

/** A required check. */
export function aCheckRule(facts: Partial<CheckRule> = {}): CheckRule {
  return { run: "npm test", setup: null, timeoutMs: 600_000, required: true, on: ["pr"], ...facts };
}

type PolicyFacts = Partial<Omit<ProjectPolicy, "merging">> & { readonly merging?: Partial<ProjectPolicy["merging"]> };

/**
 * A policy with one check that opens pull requests automatically, sends problems to agents, and merges with one
 * approval.
 */
export function aPolicy(facts: PolicyFacts = {}): ProjectPolicy {
  const { merging, reactions, ...rest } = facts;
  return {
    openPullRequest: "auto",
    checks: { unit: aCheckRule() },
    scm: { plugin: "local", config: {} },
    cleanUpAfterMerge: true,
    ...rest,
    reactions: {
      "ci-failed": aRule(),
      "changes-requested": aRule(),
      "review-commented": aRule(),
      "merge-conflict": aRule(),
      "approved-and-green": aRule({ action: "merge", retries: 0, strategy: "squash" }),
      "agent-needs-input": aRule({ action: "notify", retries: 0, priority: "urgent" }),
      ...reactions,
    },
    merging: {
      approvals: 1,
      checks: [],
      paths: {},
      maxFiles: null,
      maxLines: null,
      blockLabels: [],
      quietHours: null,
      rules: [],
      ...merging,
    },
  };
}

/** An open pull request of the session `demo-fix-it`, without any check run. */
export function aChange(facts: Partial<ChangeState> = {}): ChangeState {
  return {
    key: "demo/1",
    projectId: "demo",
    number: 1,
    sessionId: "demo-fix-it",
    issue: null,
    title: "Fix it",
    body: null,
    branch: "agent/fix-it",
    base: "main",
    head: "head1",
    openedBy: "ao",
    phase: "open",
    checks: {},
    attempts: {},
    reviews: [],
    threads: [],
    labels: [],
    mergeability: null,
    tries: 0,
    mergeRequest: null,
    refusal: null,
    refusals: 0,
    merged: null,
    branchFate: null,
    issueFate: null,
    problems: {},
    reactions: 0,
    openedAt: 1000,
    updatedAt: 1000,
    ...facts,
  };
}

/** A check that passed on the first commit of `aChange`. */
export function aCheckRun(facts: Partial<CheckRun> = {}): CheckRun {
  return {
    name: "unit",
    head: "head1",
    attempt: 1,
    state: "passed",
    code: 0,
    log: null,
    fingerprint: "",
    tookMs: 10,
    at: 1000,
    ...facts,
  };
}

/** A problem seen for the first time. */
export function aProblem(facts: Partial<Problem> = {}): Problem {
  return {
    id: "ci-failed:unit",
    key: "ci-failed",
    occurrence: "head1.f1",
    text: "check `unit` failed with exit code 1 on head1",
    since: 1000,
    sent: 0,
    last: null,
    escalations: 0,
    escalatedAt: null,
    acknowledged: false,
    ...facts,
  };
}
