import { join } from "node:path";
import type { Workspace, WorkspaceRef } from "../../../ports/workspace.ts";
import { coverPath } from "../../../providers/git/cover.ts";
import { asidePaths, checkoutPath } from "../../../providers/git/layout.ts";
import type { Tools } from "../../../providers/git/tools.ts";
import { refreshShown } from "./shown-refs.ts";
import { dropStash } from "./stash.ts";

/** The two forms of a checkout. */
interface Forms {
  /** Linked worktrees, for sessions without a sandbox, and for those that an older version started. */
  readonly linked: Workspace;
  /** Repositories of their own, for sessions in a sandbox. */
  readonly own: Workspace;
}

/** One workspace slot for both forms. What is on disk decides; a new checkout of a session in a sandbox gets its own. */
export function combine(tools: Tools, home: string, { linked, own }: Forms): Workspace {
  const formAt = async (path: string): Promise<Workspace> => ((await isOwn(tools, home, path)) ? own : linked);
  const formOf = async (ref: WorkspaceRef): Promise<Workspace> => formAt(ref.path);
  return {
    create: async (request) => {
      const path = checkoutPath(request.project, request.name);
      const form = (await formOnDisk(tools, path)) ?? (request.enclose === undefined ? "linked" : "own");
      return (form === "own" ? own : linked).create(request);
    },
    reconcileCreate: async (request) => {
      const path = checkoutPath(request.project, request.name);
      const form = (await formOnDisk(tools, path)) ?? (request.enclose === undefined ? "linked" : "own");
      return (form === "own" ? own : linked).reconcileCreate(request);
    },
    remove: async (ref) => (await formOf(ref)).remove(ref),
    inspect: async (ref) => (await formOf(ref)).inspect(ref),
    diff: async (ref, baseCommit) => (await formOf(ref)).diff(ref, baseCommit),
    readChanges: async (ref) => (await formOf(ref)).readChanges(ref),
    commit: async (ref, request) => (await formOf(ref)).commit(ref, request),
    checkMerged: async (ref) => (await formOf(ref)).checkMerged(ref),
    // The session may have had both forms.
    dropPreserved: async (ref, dryRun) => [
      ...(await own.dropPreserved(ref, dryRun)),
      ...(await dropStash(tools, ref, dryRun)),
    ],
    deleteBranch: async (ref) => (await formOf(ref)).deleteBranch(ref),
    publish: async (ref) => (await (await formOf(ref)).publish?.(ref)) ?? null,
    refresh: async (ref) => {
      if (await isOwn(tools, home, ref.path)) await refreshShown(tools, ref);
    },
  };
}

async function isOwn(tools: Tools, home: string, path: string): Promise<boolean> {
  const form = await formOnDisk(tools, path);
  if (form !== null) return form === "own";
  // The folder is gone; a linked worktree has no cover.
  return (await tools.host.fs.stat(coverPath(home, path))) !== null;
}

async function formOnDisk({ host: { fs } }: Tools, path: string): Promise<"linked" | "own" | null> {
  const { removing, deleting } = asidePaths(path);
  for (const folder of [path, removing, deleting]) {
    const kind = (await fs.stat(join(folder, ".git")))?.kind;
    if (kind !== undefined) return kind === "directory" ? "own" : "linked";
  }
  return null;
}
