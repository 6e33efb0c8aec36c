import { AoError } from "../../core/errors.ts";
import { isLeftBehind, runtimeOfRun, type SessionState } from "../../core/session/state.ts";
import type { Workspace, WorkspaceRef } from "../../ports/workspace.ts";
import type { AttachView } from "../../protocol/views/session.ts";
import type { Kernel } from "../kernel.ts";

/** Changes of a session against its base, committed or not. */
export async function diff(kernel: Kernel, sessionId: string): Promise<string> {
  const session = requireSession(kernel, sessionId);
  const { workspace, ref } = requireWorkspace(kernel, session);
  return workspace.diff(ref, session.workspace.baseCommit ?? "");
}

/** The workspace of a session, with its plugin; throws if there is none. */
export function requireWorkspace(
  kernel: Kernel,
  session: SessionState,
): { readonly workspace: Workspace; readonly ref: WorkspaceRef } {
  const { path, baseCommit, state, generation } = session.workspace;
  if (path === null || baseCommit === null || state !== "ready") {
    throw new AoError({
      code: "workspace-missing",
      message: `Session ${session.id} has no workspace at the moment (${state}).`,
      hint: `Bring it back with \`ao restore ${session.id}\`.`,
    });
  }
  const project = kernel.engine.loop.world.view.project(session.projectId);
  const { path: folder = "", defaultBranch = "" } = project ?? {};
  return {
    workspace: kernel.plugins.get("workspace", session.workspacePlugin, folder),
    ref: {
      project: { id: session.projectId, path: folder, defaultBranch },
      sessionId: session.id,
      path,
      branch: session.branch,
      generation,
    },
  };
}

/** The command to open the session's terminal, if it has one. */
export async function attach(kernel: Kernel, sessionId: string): Promise<AttachView> {
  const session = requireSession(kernel, sessionId);
  const { terminal } = kernel.plugins.get("runtime", runtimeOfRun(session), "");
  if (terminal === undefined || session.run.state !== "alive" || isLeftBehind(session)) return { command: null };
  return {
    command: terminal.attachCommand({
      sessionId,
      run: session.run.n,
      runDir: kernel.runDir(sessionId, session.run.n),
    }),
  };
}

/** The session with this id. */
export function requireSession(kernel: Kernel, id: string): SessionState {
  const session = kernel.engine.loop.world.view.session(id);
  if (session === undefined) throw new AoError({ code: "session-unknown", message: `There is no session "${id}".` });
  return session;
}
