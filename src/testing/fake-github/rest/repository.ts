import { readBranch } from "../../fake-forge/git.ts";
import type { Protection, Repository, Rule } from "../model.ts";
import { presentAccount } from "../present/account.ts";
import { presentFullRepository, repositoryUrl } from "../present/repository.ts";
import { fullName, type World } from "../world.ts";
import { type Api, bodyOf, HttpProblem, invalid, namesOf, notFound, repositoryOf } from "./context.ts";

/** The repository itself, its branches and their protection, and the token's user. */
export function routeRepository(api: Api, world: World): void {
  api.get("/user", (call) => {
    const account = call.get("account");
    const created = "2020-01-01T00:00:00Z";
    const numbers = { public_repos: 0, public_gists: 0, followers: 0, following: 0 };
    const words = {
      name: account.login,
      company: null,
      blog: null,
      location: null,
      email: null,
      hireable: null,
      bio: null,
    };
    return call.json({
      ...presentAccount(world, account),
      ...words,
      ...numbers,
      created_at: created,
      updated_at: created,
    });
  });
  api.get("/repos/:owner/:repo", (call) => call.json(presentFullRepository(world, repositoryOf(world, call))));
  api.post("/repos/:owner/:repo/hooks", async (call) => {
    const { config, events } = await bodyOf(call);
    const { url, secret = null } = (config ?? {}) as { readonly url?: string; readonly secret?: string | null };
    if (url === undefined) throw invalid("Hook", "url", "missing_field");
    const hook = { id: world.nextId(), url, secret, events: namesOf(events) ?? ["push"] };
    repositoryOf(world, call).hooks.push(hook);
    return call.json({ type: "Repository", id: hook.id, active: true, events: hook.events, config: { url } }, 201);
  });
  api.get("/repos/:owner/:repo/branches/:branch{.+}/protection", (call) => {
    const repository = repositoryOf(world, call);
    const branch = call.req.param("branch");
    const protection = repository.protections.get(branch);
    if (readBranch(repository.gitDir, branch) === null) throw new HttpProblem(404, "Branch not found");
    if (protection === undefined) throw new HttpProblem(404, "Branch not protected");
    const url = `${repositoryUrl(world, repository)}/branches/${branch}/protection`;
    return call.json(presentProtection(url, protection));
  });
  api.get("/repos/:owner/:repo/rules/branches/:branch{.+}", (call) => {
    const repository = repositoryOf(world, call);
    const rules = repository.rulesets.get(call.req.param("branch")) ?? [];
    return call.json(rules.map((rule) => presentRule(repository, rule)));
  });
  api.get("/repos/:owner/:repo/branches/:branch{.+}", (call) => {
    const repository = repositoryOf(world, call);
    const name = call.req.param("branch");
    const sha = readBranch(repository.gitDir, name);
    if (sha === null) throw notFound();
    const isProtected = repository.protections.has(name);
    return call.json({ name, protected: isProtected, commit: { sha } });
  });
}

/** GitHub's defaults for a rule. */
const RULE_PARAMETERS: Readonly<Record<string, object>> = {
  merge_queue: {
    check_response_timeout_minutes: 60,
    grouping_strategy: "ALLGREEN",
    max_entries_to_build: 5,
    max_entries_to_merge: 5,
    merge_method: "SQUASH",
    min_entries_to_merge: 1,
    min_entries_to_merge_wait_minutes: 5,
  },
  pull_request: {
    dismiss_stale_reviews_on_push: false,
    require_code_owner_review: false,
    require_last_push_approval: false,
    required_approving_review_count: 0,
    required_review_thread_resolution: false,
  },
  required_status_checks: { required_status_checks: [], strict_required_status_checks_policy: false },
};

function presentRule(repository: Repository, { type, parameters }: Rule) {
  const filled = { ...RULE_PARAMETERS[type], ...parameters };
  return {
    type,
    ...(Object.keys(filled).length === 0 ? {} : { parameters: filled }),
    ruleset_source_type: "Repository",
    ruleset_source: fullName(repository),
    ruleset_id: 1,
  };
}

function presentProtection(url: string, protection: Protection) {
  const { approvals, checks, dismissStale, requireConversationResolution } = protection;
  return {
    url,
    ...(checks.length === 0
      ? {}
      : {
          required_status_checks: {
            url: `${url}/required_status_checks`,
            strict: false,
            contexts: checks,
            contexts_url: `${url}/required_status_checks/contexts`,
            checks: checks.map((context) => ({ context, app_id: null })),
          },
        }),
    ...(approvals === null
      ? {}
      : {
          required_pull_request_reviews: {
            url: `${url}/required_pull_request_reviews`,
            dismiss_stale_reviews: dismissStale,
            require_code_owner_reviews: false,
            required_approving_review_count: approvals,
            require_last_push_approval: false,
          },
        }),
    required_conversation_resolution: { enabled: requireConversationResolution },
    enforce_admins: { url: `${url}/enforce_admins`, enabled: true },
    required_linear_history: { enabled: false },
    allow_force_pushes: { enabled: false },
    allow_deletions: { enabled: false },
  };
}
