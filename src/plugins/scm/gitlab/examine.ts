import { z } from "zod";
import { AoError } from "../../../core/errors.ts";
import type { MergeStrategy } from "../../../core/merge/strategy.ts";
import type { Finding } from "../../../ports/finding.ts";
import type { ScmProject } from "../../../ports/scm.ts";
import { ignoreMissing } from "../../../providers/forge/ignore-missing.ts";
import { examineAccess } from "../../../providers/gitlab/examine.ts";
import { readable } from "./records.ts";
import { readSettings, type Settings, strategiesOf } from "./settings.ts";
import type { GitlabTools } from "./tools.ts";

/** Access to the project, and which of its rules and settings would keep `ao` from merging. */
export async function examineForge(
  tools: GitlabTools,
  project: ScmProject,
  { strategy }: { readonly strategy: MergeStrategy },
): Promise<readonly Finding[]> {
  const access = await examineAccess(tools.host, tools.client);
  if (access.state === "fail") return [access];
  try {
    const settings = await readSettings(tools);
    return [
      access,
      ...examineStrategy(settings, strategy),
      ...examineRules(project, settings, await readApprovalRules(tools)),
      ...(await examineProtection(tools, project)),
    ];
  } catch (error) {
    if (!(error instanceof AoError)) throw error;
    return [access, { state: "warn", text: error.message, fix: error.hint ?? null }];
  }
}

function examineStrategy(settings: Settings, strategy: MergeStrategy): readonly Finding[] {
  const allowed = strategiesOf(settings);
  if (allowed.includes(strategy)) return [];
  const fix = `Set reactions.approved-and-green.strategy to ${allowed.join(" or ")}, or change the merge method in the project's settings.`;
  return [{ state: "warn", text: `the project does not allow merges by ${strategy}`, fix }];
}

const Rule = z.object({ name: z.string(), approvals_required: z.number() });

/** The approvals that each rule requires; without GitLab Premium there are no rules. */
async function readApprovalRules({ client }: GitlabTools): Promise<readonly string[]> {
  const found = await client.pages({ path: "/projects/:id/approval_rules" }).catch(ignoreMissing);
  return readable(Rule, found ?? [])
    .filter(({ approvals_required: count }) => count > 0)
    .map(({ name, approvals_required: count }) => `${count} approval${count === 1 ? "" : "s"} (${name})`);
}

function examineRules(
  { defaultBranch }: ScmProject,
  settings: Settings,
  approvals: readonly string[],
): readonly Finding[] {
  const needs = [
    ...approvals,
    ...(settings.only_allow_merge_if_pipeline_succeeds === true ? ["a pipeline that passed"] : []),
    ...(settings.only_allow_merge_if_all_discussions_are_resolved === true ? ["resolved threads"] : []),
    ...(settings.merge_method === "ff" || settings.merge_method === "rebase_merge" ? ["a rebased branch"] : []),
  ];
  if (needs.length === 0) return [];
  return [{ state: "ok", text: `a merge into ${defaultBranch} requires ${needs.join(", ")}`, fix: null }];
}

const Level = z.object({ access_level: z.number().nullish() });
const Protected = z.object({ name: z.string(), merge_access_levels: z.array(Level) });
const Access = z.object({
  permissions: z.object({ project_access: Level.nullish(), group_access: Level.nullish() }).nullish(),
});

// GitLab lets only Maintainers merge into the default branch unless the project says otherwise.
async function examineProtection({ client }: GitlabTools, project: ScmProject): Promise<readonly Finding[]> {
  const { defaultBranch: name } = project;
  const rules = readable(Protected, await client.pages({ path: "/projects/:id/protected_branches" }));
  const rule = rules.find((one) => one.name === name);
  const { permissions } = await client.read({ path: "/projects/:id", answer: Access });
  const { project_access: own, group_access: group } = permissions ?? {};
  const level = Math.max(own?.access_level ?? 0, group?.access_level ?? 0);
  const levels = (rule?.merge_access_levels ?? []).flatMap(({ access_level: one }) => one ?? []);
  // A person or group may be allowed besides the levels, which is not checked.
  const isAllowed = levels.length === 0 || level === 0 || levels.some((one) => one > 0 && level >= one);
  if (isAllowed) return [];
  const fix = `Use a token of a Maintainer, or allow Developers to merge into ${name} (Settings, Repository, Protected branches).`;
  return [{ state: "warn", text: `${name} is protected: the token may not merge into it`, fix }];
}
