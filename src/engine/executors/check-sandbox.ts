import type { ChangeState } from "../../core/change/state.ts";
import { type CheckSandbox, chooseCheckSandbox } from "../../core/check-sandbox.ts";
import { mainChecks } from "../../core/guard/guard.ts";
import type { CheckRule } from "../../core/policy.ts";
import type { SessionState } from "../../core/session/state.ts";
import type { CheckRequest } from "../../ports/scm.ts";
import type { EffectDeps, SpecOf } from "../executor.ts";

/** Stacks of pull requests are short; a longer one is not followed further. */
const MAX_STACK = 50;

/** The sandbox for a check of these changes' commits; null: it runs as the user. */
export function sandboxForChanges(
  deps: Pick<EffectDeps, "session" | "policyOf">,
  projectId: string,
  { rule, changes }: { readonly rule: CheckRule | undefined; readonly changes: readonly ChangeState[] },
): CheckSandbox | null {
  const authors = changes.flatMap((change) => authorsOf(deps, change));
  return chooseCheckSandbox(rule?.sandbox, authors, deps.policyOf(projectId)?.trust);
}

/**
 * The sandbox for a check of a commit of the project itself. A batch of the merge train has the code of its changes. The
 * base itself is approved code; but a red check that ran in a sandbox is compared with a run in the same sandbox.
 */
export function sandboxForCommit(
  deps: Pick<EffectDeps, "session" | "change" | "project" | "policyOf" | "openChanges">,
  { projectId, commit, check }: SpecOf<"check-commit">,
  rule: CheckRule | undefined,
): CheckSandbox | null {
  const project = deps.project(projectId);
  const policy = deps.policyOf(projectId);
  const built = project?.train?.batch?.built ?? [];
  const last = built.findIndex((car) => car.commit === commit);
  if (last >= 0) {
    const changes = built.slice(0, last + 1).flatMap(({ key }) => deps.change(key) ?? []);
    return sandboxForChanges(deps, projectId, { rule, changes });
  }
  const isGuarded = policy !== null && mainChecks(policy).includes(check);
  const changes = isGuarded
    ? []
    : deps.openChanges(projectId).filter(({ checks }) => checks[check]?.isSandboxed === true);
  return sandboxForChanges(deps, projectId, { rule, changes });
}

/** The same request, with its commands in the sandbox. */
export function inSandbox(
  request: CheckRequest,
  sandbox: CheckSandbox | null,
  deps: Pick<EffectDeps, "encloseCommand">,
): CheckRequest {
  if (sandbox === null) return request;
  const { project, env: environment } = request;
  const enclose: CheckRequest["enclose"] = (command) =>
    deps.encloseCommand({ ...command, projectId: project.id, sandbox, environment });
  return { ...request, enclose };
}

// What it is stacked on is part of its commit.
function authorsOf({ session }: Pick<EffectDeps, "session">, change: ChangeState): readonly SessionState[] {
  const ids = new Set<string>();
  const next = [change.sessionId, change.stackedOn?.sessionId ?? null, change.landed?.sessionId ?? null];
  for (let id = next.pop(); id !== undefined && ids.size < MAX_STACK; id = next.pop()) {
    if (id === null || ids.has(id)) continue;
    ids.add(id);
    next.push(session(id)?.stackedOn?.sessionId ?? null);
  }
  return [...ids].flatMap((id) => session(id) ?? []);
}
