import type { SessionEvent } from "./events.ts";
import type { SessionState } from "./state.ts";

type WorkspaceEvent = Extract<SessionEvent, { readonly type: `workspace.${string}` }>;

/** Workspace events; one of an older generation is outdated and changes nothing. */
export function evolveWorkspace(state: SessionState, event: WorkspaceEvent): SessionState {
  const workspace = state.workspace;
  if (event.generation !== workspace.generation) return state;
  switch (event.type) {
    case "workspace.creating":
      return { ...state, workspace: { ...workspace, state: "creating" } };
    case "workspace.created":
      return {
        ...state,
        branch: event.branch,
        workspace: {
          ...workspace,
          state: "ready",
          path: event.path,
          head: event.head,
          // The base of the first creation stays: a restore must not hide earlier work.
          baseCommit: workspace.baseCommit ?? event.baseCommit,
          reason: null,
          // Restored work is in the folder again; if it is not committed, the next removal saves it again.
          preservedRef: event.restoredFrom === null ? workspace.preservedRef : null,
          notes: event.notes,
          ...(workspace.elsewhere == null ? {} : { elsewhere: null }),
        },
      };
    case "workspace.failed":
      return { ...state, workspace: { ...workspace, state: "failed", reason: event.reason } };
    case "workspace.vanished":
      return { ...state, workspace: { ...workspace, state: event.what, reason: event.evidence } };
    case "workspace.reappeared":
      return { ...state, workspace: { ...workspace, state: "ready", reason: null } };
    case "workspace.branch-left":
      return { ...state, workspace: { ...workspace, elsewhere: event.on } };
    case "workspace.branch-returned":
      return { ...state, workspace: { ...workspace, elsewhere: null } };
    case "workspace.relocated":
      return { ...state, workspace: { ...workspace, path: event.path } };
    case "workspace.removed":
      return {
        ...state,
        workspace: {
          ...workspace,
          state: "removed",
          reason: null,
          preservedRef: event.preservedRef ?? workspace.preservedRef,
        },
      };
    case "workspace.kept":
      return { ...state, workspace: { ...workspace, state: "kept", reason: event.reason } };
  }
}
