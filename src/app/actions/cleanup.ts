import type { SessionState } from "../../core/session/state.ts";
import type { CleanupView } from "../../protocol/view.ts";
import type { Kernel } from "../kernel.ts";

/** Removes branches (and left-over folders) of stopped sessions whose work is merged; refuses everything else, with the reason. */
export async function cleanup(kernel: Kernel, options: { readonly dryRun: boolean }): Promise<CleanupView> {
  const items: CleanupView["items"][number][] = [];
  for (const session of [...kernel.engine.loop.world.view.sessions()]) {
    const item = await cleanOne(kernel, session, options.dryRun);
    if (item !== null) items.push(item);
  }
  return { dryRun: options.dryRun, items };
}

async function cleanOne(
  kernel: Kernel,
  session: SessionState,
  dryRun: boolean,
): Promise<CleanupView["items"][number] | null> {
  const project = kernel.engine.loop.world.view.project(session.projectId);
  if (project === undefined || session.workspace.path === null) return null;
  const { id: sessionId, branch } = session;
  const refuse = (reason: string): CleanupView["items"][number] => ({ sessionId, branch, action: "refused", reason });
  if (session.phase !== "stopped") return refuse("the session is not stopped");
  const workspace = kernel.plugins.get("workspace", session.workspacePlugin, project.path);
  const ref = {
    project: { id: project.id, path: project.path, defaultBranch: project.defaultBranch },
    sessionId,
    path: session.workspace.path,
    branch,
    generation: session.workspace.generation,
  };
  if (session.workspace.preservedRef !== null)
    return refuse(`uncommitted work is saved in ${session.workspace.preservedRef}`);
  if (session.workspace.state === "kept")
    return refuse(session.workspace.reason ?? "its folder holds work that is not saved");
  const { merged, exists, reason } = await workspace.checkMerged(ref);
  if (!exists) return null;
  if (!merged) return refuse(reason);
  if (dryRun) return { sessionId, branch, action: "would-remove", reason };
  const deleted = await workspace.deleteBranch(ref);
  return deleted ? { sessionId, branch, action: "removed", reason } : null;
}
