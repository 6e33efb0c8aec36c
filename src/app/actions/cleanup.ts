import type { ChangeState } from "../../core/change/state.ts";
import type { SessionState } from "../../core/session/state.ts";
import type { World } from "../../core/world.ts";
import type { Workspace, WorkspaceRef } from "../../ports/workspace.ts";
import type { CleanupView } from "../../protocol/views/daemon.ts";
import type { Kernel } from "../kernel.ts";

type Item = CleanupView["items"][number];

export interface CleanupOptions {
  readonly dryRun: boolean;
  /** Delete saved work of stopped sessions too. */
  readonly preserved: boolean;
}

/** Removes branches of stopped sessions whose work is merged; keeps everything else, with the reason. */
export async function cleanup(kernel: Kernel, options: CleanupOptions): Promise<CleanupView> {
  const items: Item[] = [];
  const world = kernel.engine.loop.world.view;
  for (const session of [...world.sessions(), ...world.archive.sessions({})]) {
    items.push(...(await cleanOne(kernel, session, options)));
  }
  return { dryRun: options.dryRun, items };
}

async function cleanOne(kernel: Kernel, session: SessionState, options: CleanupOptions): Promise<readonly Item[]> {
  const project = kernel.engine.loop.world.view.project(session.projectId);
  if (project === undefined || session.workspace.path === null) return [];
  const { id: sessionId, branch } = session;
  const refuse = (reason: string): Item => ({ sessionId, branch, action: "refused", reason });
  if (session.phase !== "stopped") return [refuse("still running")];
  const workspace = kernel.plugins.get("workspace", session.workspacePlugin, project.path);
  const ref: WorkspaceRef = {
    project: { id: project.id, path: project.path, defaultBranch: project.defaultBranch },
    sessionId,
    path: session.workspace.path,
    branch,
    generation: session.workspace.generation,
  };
  if (session.workspace.state === "kept") {
    return [refuse(session.workspace.reason ?? "its folder holds work that is not saved")];
  }
  const saved = await cleanSaved(workspace, ref, options);
  if (saved.length > 0 && !options.preserved) return saved;
  const change = findMerged(kernel.engine.loop.world.view, session);
  if (change !== undefined) return [...saved, ...(await cleanMerged(kernel, change, sessionId, options, refuse))];
  return [...saved, ...(await cleanBranch(workspace, ref, options, refuse))];
}

function findMerged(world: World, session: SessionState): ChangeState | undefined {
  const own = [...world.changesOf(session.id)];
  return own.every((change) => change.phase !== "open")
    ? own.findLast((change) => change.phase === "merged")
    : undefined;
}

// After a squash the branch's commits are not in the base; the pull request records that they were merged.
async function cleanMerged(
  kernel: Kernel,
  change: ChangeState,
  sessionId: string,
  options: CleanupOptions,
  refuse: (reason: string) => Item,
): Promise<readonly Item[]> {
  const { branch, head, number, projectId } = change;
  const project = kernel.engine.loop.world.view.project(projectId);
  if (project === undefined) return [];
  const scm = kernel.plugins.get("scm", project.policy?.scm ?? { plugin: "local", config: {} }, project.path);
  const place = { id: project.id, path: project.path, defaultBranch: project.defaultBranch };
  const now = await scm.readHead(place, branch);
  if (now === null) return [];
  const reason = `pull request #${number} is merged`;
  if (now !== head) return [refuse(`it has commits that #${number}, which is merged, does not have`)];
  if (options.dryRun) return [{ sessionId, branch, action: "would-remove", reason }];
  const answer = await scm.deleteBranch(place, branch, head);
  return [answer.deleted ? { sessionId, branch, action: "removed", reason } : refuse(answer.reason)];
}

async function cleanSaved(workspace: Workspace, ref: WorkspaceRef, options: CleanupOptions): Promise<readonly Item[]> {
  const states = await workspace.dropPreserved(ref, options.dryRun || !options.preserved);
  return states.map((state) => {
    const { sessionId, branch } = ref;
    if (!options.preserved) {
      const reason = `uncommitted work is saved in ${state.ref}; --preserved deletes it`;
      return { sessionId, branch, action: "refused", reason };
    }
    const reason = `saved work ${state.ref}; undo with: git update-ref ${state.ref} ${state.commit}`;
    return { sessionId, branch, action: options.dryRun ? "would-remove" : "removed", reason };
  });
}

async function cleanBranch(
  workspace: Workspace,
  ref: WorkspaceRef,
  options: CleanupOptions,
  refuse: (reason: string) => Item,
): Promise<readonly Item[]> {
  const { merged, exists, reason } = await workspace.checkMerged(ref);
  if (!exists) return [];
  if (!merged) return [refuse(reason)];
  const { sessionId, branch } = ref;
  if (options.dryRun) return [{ sessionId, branch, action: "would-remove", reason }];
  return (await workspace.deleteBranch(ref)) ? [{ sessionId, branch, action: "removed", reason }] : [];
}
