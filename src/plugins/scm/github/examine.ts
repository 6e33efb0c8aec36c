import { z } from "zod";
import { AoError } from "../../../core/errors.ts";
import type { MergeStrategy } from "../../../core/merge/strategy.ts";
import type { Finding } from "../../../ports/finding.ts";
import type { ScmProject } from "../../../ports/scm.ts";
import { ignoreMissing } from "../../../providers/forge/ignore-missing.ts";
import { findApp } from "../../../providers/github/app.ts";
import { examineAccess } from "../../../providers/github/examine.ts";
import { findToken } from "../../../providers/github/token.ts";
import type { GithubTools } from "./tools.ts";

const Settings = z.object({
  allow_merge_commit: z.boolean().nullish(),
  allow_squash_merge: z.boolean().nullish(),
  allow_rebase_merge: z.boolean().nullish(),
});

const Rules = z.object({
  repository: z.object({
    ref: z
      .object({
        branchProtectionRule: z
          .object({
            requiredApprovingReviewCount: z.number().nullish(),
            requiredStatusCheckContexts: z.array(z.string()).nullish(),
            requiresLinearHistory: z.boolean().nullish(),
            requiresCommitSignatures: z.boolean().nullish(),
          })
          .nullish(),
      })
      .nullable(),
  }),
});

const RULES = `query ($owner: String!, $name: String!, $branch: String!) {
  repository(owner: $owner, name: $name) { ref(qualifiedName: $branch) { branchProtectionRule {
    requiredApprovingReviewCount requiredStatusCheckContexts requiresLinearHistory requiresCommitSignatures } } }
}`;

/** Access to the repository, and which of its rules and settings would keep `ao` from merging. */
export async function examineForge(
  tools: GithubTools,
  project: ScmProject,
  { strategy }: { readonly strategy: MergeStrategy },
): Promise<readonly Finding[]> {
  const { host, client, repository } = tools;
  const access = await examineAccess(host, client, repository);
  if (access.state === "fail") return [access];
  const reviewer = await examineReviewer(tools);
  try {
    const rules = await readRules(tools, project.defaultBranch);
    return [
      access,
      ...reviewer,
      ...(await examineStrategy(tools, strategy)),
      ...examineRules(project, rules, strategy),
    ];
  } catch (error) {
    if (!(error instanceof AoError)) throw error;
    return [access, ...reviewer, { state: "warn", text: error.message, fix: error.hint ?? null }];
  }
}

/** Can the App for reviews comment? */
async function examineReviewer({ host, client, repository }: GithubTools): Promise<readonly Finding[]> {
  if (findApp(host, "reviewer") === null) return [];
  try {
    const token = await findToken(host, { address: client.address, repository, role: "reviewer" });
    return [{ state: "ok", text: `comments of rules by ${token?.source}`, fix: null }];
  } catch (error) {
    if (!(error instanceof AoError)) throw error;
    return [{ state: "fail", text: error.message, fix: error.hint ?? null }];
  }
}

async function examineStrategy(
  { client, repository }: GithubTools,
  strategy: MergeStrategy,
): Promise<readonly Finding[]> {
  const call = { route: "GET /repos/{owner}/{repo}", parameters: { ...repository }, answer: Settings };
  const settings = await client.rest(call);
  const allowed = {
    merge: settings.allow_merge_commit,
    squash: settings.allow_squash_merge,
    rebase: settings.allow_rebase_merge,
  };
  if (allowed[strategy] !== false) return [];
  const others = Object.entries(allowed).flatMap(([name, isAllowed]) => (isAllowed === true ? [name] : []));
  const fix = `Set reactions.approved-and-green.strategy to ${others.join(" or ")}, or allow it in the repository's settings.`;
  return [{ state: "warn", text: `the repository does not allow merges by ${strategy}`, fix }];
}

interface BranchRules {
  readonly isMissing: boolean;
  readonly approvals: number;
  readonly checks: readonly string[];
  readonly isLinear: boolean;
  readonly isSigned: boolean;
  readonly hasQueue: boolean;
}

const Ruleset = z.object({
  type: z.string(),
  parameters: z
    .object({
      required_approving_review_count: z.number().nullish(),
      required_status_checks: z.array(z.object({ context: z.string() })).nullish(),
    })
    .nullish(),
});

/** The rules of a branch, from its protection and from rulesets. */
async function readRules({ client, repository }: GithubTools, branch: string): Promise<BranchRules> {
  const { owner, repo: name } = repository;
  const variables = { owner, name, branch: `refs/heads/${branch}` };
  const { data } = await client.graphql({ query: RULES, variables, answer: Rules });
  const rule = data.repository.ref?.branchProtectionRule ?? null;
  const route = "GET /repos/{owner}/{repo}/rules/branches/{+branch}";
  // An older Enterprise server has no rulesets.
  const found = await client
    .rest({ route, parameters: { ...repository, branch }, answer: z.array(z.unknown()) })
    .catch(ignoreMissing);
  const rulesets = (found ?? []).flatMap((one) => Ruleset.safeParse(one).data ?? []);
  const has = (type: string): boolean => rulesets.some((one) => one.type === type);
  const counts = rulesets.map(({ parameters }) => parameters?.required_approving_review_count ?? 0);
  const contexts = rulesets.flatMap(({ parameters }) => parameters?.required_status_checks ?? []);
  return {
    isMissing: data.repository.ref === null,
    approvals: Math.max(0, rule?.requiredApprovingReviewCount ?? 0, ...counts),
    checks: [...new Set([...(rule?.requiredStatusCheckContexts ?? []), ...contexts.map(({ context }) => context)])],
    isLinear: rule?.requiresLinearHistory === true || has("required_linear_history"),
    isSigned: rule?.requiresCommitSignatures === true || has("required_signatures"),
    hasQueue: has("merge_queue"),
  };
}

function examineRules({ defaultBranch }: ScmProject, rules: BranchRules, strategy: MergeStrategy): readonly Finding[] {
  const { approvals, checks, isLinear, isSigned, hasQueue } = rules;
  if (rules.isMissing) {
    const fix = `Push it, or set defaultBranch in the project's configuration to the branch that ao merges into.`;
    return [{ state: "fail", text: `GitHub has no branch ${defaultBranch}`, fix }];
  }
  const warn = (text: string, fix: string): Finding => ({ state: "warn", text: `${defaultBranch} ${text}`, fix });
  const needs = [
    ...(approvals === 0 ? [] : [`${approvals} approval${approvals === 1 ? "" : "s"}`]),
    ...(checks.length === 0 ? [] : [`check${checks.length === 1 ? "" : "s"} ${checks.join(", ")}`]),
  ];
  return [
    ...(needs.length === 0
      ? []
      : [{ state: "ok", text: `${defaultBranch} requires ${needs.join(" and ")}`, fix: null } as const]),
    ...(isLinear && strategy === "merge"
      ? [warn("requires a linear history", "Set reactions.approved-and-green.strategy to squash or rebase.")]
      : []),
    ...(isSigned ? [warn("requires signed commits", "Agents must sign theirs, or merge by squash.")] : []),
    ...(hasQueue
      ? [{ state: "ok", text: `${defaultBranch} has a merge queue, and ao merges through it`, fix: null } as const]
      : []),
  ];
}
