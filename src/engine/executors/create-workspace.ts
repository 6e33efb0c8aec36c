import type { SessionState } from "../../core/session/state.ts";
import type { CreateWorkspace, WorkspaceInfo } from "../../ports/workspace.ts";
import { type EffectDeps, type Executor, requireSession, type SpecOf } from "../executor.ts";

type Spec = SpecOf<"create-workspace">;

/** Creates the session's folder and branch, or restores what was preserved. */
export const createWorkspace: Executor<"create-workspace"> = {
  survivesDaemon: false,
  concurrency: 8,
  execute: async (spec, intentId, deps) => {
    const session = requireSession(deps, spec.sessionId);
    await deps.prepare(session);
    const request = await requestOf(spec, intentId, deps);
    return toOutcome(await deps.workspaceOf(session).create(request));
  },
  reconcile: async (spec, intentId, deps) => {
    const session = requireSession(deps, spec.sessionId);
    await deps.prepare(session);
    const request = await requestOf(spec, intentId, deps);
    const answer = await deps.workspaceOf(session).reconcileCreate(request);
    if (answer.kind === "done") return { kind: "done", outcome: toOutcome(answer.value) };
    return answer;
  },
};

// Work for a remote forge starts from the forge's newest commit; while it is unreachable, from the last one seen.
async function findBase({ base, projectId }: SessionState, deps: EffectDeps): Promise<string | undefined> {
  if (base !== null) return base;
  const scm = deps.scmOf(projectId);
  if (scm.remote === undefined) return undefined;
  const project = deps.scmProjectOf(projectId);
  await scm.remote.fetchBase(project).catch((error: unknown) => {
    deps.host.log.warn("the base could not be fetched", { project: projectId, reason: String(error) });
  });
  return (await scm.readHead(project, project.defaultBranch)) ?? undefined;
}

async function requestOf(spec: Spec, intentId: string, deps: EffectDeps): Promise<CreateWorkspace> {
  const session = requireSession(deps, spec.sessionId);
  return {
    project: deps.projectOf(session),
    sessionId: session.id,
    name: session.folder,
    branch: session.branch,
    base: await findBase(session, deps),
    env: await deps.projectEnvironment(session.projectId, session.id),
    enclose: deps.encloserOf(session),
    isOtherBase: session.base !== null && session.base !== deps.projectOf(session).defaultBranch,
    generation: spec.generation,
    restore: spec.restore,
    intentId,
    attempt: 1,
  };
}

function toOutcome(info: WorkspaceInfo): { readonly kind: "workspace-created" } & WorkspaceInfo {
  return { kind: "workspace-created", ...info };
}
