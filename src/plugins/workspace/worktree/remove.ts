import type { RemoveOutcome, WorkspaceRef } from "../../../ports/workspace.ts";
import { type Assessment, assess } from "../../../providers/git/assess.ts";
import { runUserCommand } from "../../../providers/git/command.ts";
import { findForeignContent } from "../../../providers/git/half-made.ts";
import { asidePaths } from "../../../providers/git/layout.ts";
import { type Marker, readMarker } from "../../../providers/git/marker.ts";
import { listSaved } from "../../../providers/git/preserved.ts";
import { readRefs } from "../../../providers/git/refs.ts";
import { findAdminDir, findCommonDir, readGitFile, removeAdminDir } from "../../../providers/git/repository.ts";
import { saveDetachedHead, saveSnapshot, supersede } from "../../../providers/git/save.ts";
import type { Tools } from "../../../providers/git/tools.ts";

const MAX_LOOKS = 4;

interface Removal {
  readonly ref: WorkspaceRef;
  readonly commonDir: string;
  readonly adminDir: string;
  /** The saved state that this worktree began with. */
  readonly restoredFrom: string | null;
}

/** Saves what is not committed, then removes the folder; what cannot be saved whole keeps its folder. */
export async function removeWorkspace(tools: Tools, ref: WorkspaceRef): Promise<RemoveOutcome> {
  const { fs } = tools.host;
  const commonDir = await findCommonDir(fs, ref.project.path);
  const aside = asidePaths(ref.path);
  // An earlier removal was cut short: what had been compared goes on being deleted.
  await deleteTree(tools, aside.deleting);
  const folder = (await fs.stat(ref.path)) !== null ? ref.path : aside.removing;
  if ((await fs.stat(folder)) === null) return removeEntry(tools, ref, commonDir);
  const adminDir = await readGitFile(fs, folder);
  const marker = adminDir === null ? null : await readMarker(fs, adminDir);
  const objection = findObjection(ref, marker);
  if (adminDir === null || marker === null || objection !== null) return kept(folder, objection ?? "is not a worktree");
  const removal = { ref, commonDir, adminDir, restoredFrom: marker.restoredFrom };
  if (folder === aside.removing) return removeAside(tools, removal, null);
  return removeFolder(tools, removal, marker);
}

function findObjection(ref: WorkspaceRef, marker: Marker | null): string | null {
  if (marker === null) return "was not made by ao, or is no worktree any more";
  if (marker.sessionId !== ref.sessionId) return `belongs to session ${marker.sessionId}`;
  return marker.generation > ref.generation ? "has been restored since" : null;
}

async function removeFolder(tools: Tools, removal: Removal, marker: Marker): Promise<RemoveOutcome> {
  const { fs } = tools.host;
  const { ref, adminDir } = removal;
  const aside = asidePaths(ref.path);
  if (marker.state === "creating" && (await findForeignContent(tools, ref.path, marker.content)) === null) {
    await fs.rename(ref.path, aside.deleting);
    return discard(tools, removal, { preservedRef: null, head: marker.head });
  }
  await runPreRemove(tools, ref);
  const before = await assess(tools, ref.path, adminDir);
  if (before.kind === "keep") return kept(ref.path, before.reason);
  await save(tools, ref, before);
  if ((await fs.stat(aside.removing)) !== null) return kept(ref.path, `has ${aside.removing} in its way`);
  await fs.rename(ref.path, aside.removing);
  return removeAside(tools, removal, before);
}

/**
 * The folder was moved aside, so that nobody finds it by its path. It goes when it still is what was saved; what was
 * written in between is saved too; and when that does not end, or cannot be done, it goes back to its place.
 */
async function removeAside(tools: Tools, removal: Removal, before: Assessment | null): Promise<RemoveOutcome> {
  const { ref, adminDir } = removal;
  const aside = asidePaths(ref.path);
  let last = before;
  for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
    const now = await assess(tools, aside.removing, adminDir);
    if (now.kind === "keep") return putBack(tools, ref, now.reason);
    const preservedRef = await save(tools, ref, now);
    if (last !== null && JSON.stringify(last) === JSON.stringify(now)) {
      if (now.kind === "clean" && removal.restoredFrom !== null) {
        await supersede(tools, ref.project.path, ref.sessionId, removal.restoredFrom);
      }
      await tools.host.fs.rename(aside.removing, aside.deleting);
      const head = now.kind === "clean" ? now.head : now.snapshot.head;
      return discard(tools, removal, { preservedRef, head });
    }
    last = now;
  }
  return putBack(tools, ref, "has files that keep changing while they are saved");
}

async function putBack(tools: Tools, ref: WorkspaceRef, reason: string): Promise<RemoveOutcome> {
  await tools.host.fs.rename(asidePaths(ref.path).removing, ref.path);
  return kept(ref.path, reason);
}

/** Gives the ref, or null when there is nothing to save. */
async function save(tools: Tools, ref: WorkspaceRef, state: Assessment): Promise<string | null> {
  if (state.kind !== "dirty") return null;
  const { sessionId, generation } = ref;
  return saveSnapshot(tools, { cwd: ref.project.path, sessionId, generation, snapshot: state.snapshot });
}

async function discard(
  tools: Tools,
  removal: Removal,
  outcome: { readonly preservedRef: string | null; readonly head: string | null },
): Promise<RemoveOutcome> {
  // The folder goes before its entry: a crash in between leaves an entry, which the next call removes.
  await deleteTree(tools, asidePaths(removal.ref.path).deleting);
  await removeAdminDir(tools.host.fs, tools.lane, removal.commonDir, removal.adminDir);
  return { kind: "removed", ...outcome };
}

/** The folder is gone: only its entry in the repository is left to remove, and what was saved is looked up. */
async function removeEntry(tools: Tools, ref: WorkspaceRef, commonDir: string): Promise<RemoveOutcome> {
  const { fs } = tools.host;
  const adminDir = await findAdminDir(fs, commonDir, ref.path);
  const marker = adminDir === null ? null : await readMarker(fs, adminDir);
  const own = marker !== null && findObjection(ref, marker) === null;
  if (own && (await fs.stat(`${adminDir}/locked`)) !== null)
    return kept(ref.path, "is gone, but its worktree is locked");
  if (own && adminDir !== null) {
    const { sessionId, generation, branch } = ref;
    await saveDetachedHead(tools, adminDir, { cwd: ref.project.path, sessionId, generation, branch });
  }
  await removeAdminDir(fs, tools.lane, commonDir, own ? adminDir : null);
  const branchRef = `refs/heads/${ref.branch}`;
  const [branch, saved] = await Promise.all([
    readRefs(tools.git, ref.project.path, [branchRef]),
    listSaved(tools.git, ref.project.path, ref.sessionId),
  ]);
  const last = saved.all.findLast((preserved) => preserved.generation === ref.generation);
  return {
    kind: "removed",
    preservedRef: last?.ref ?? null,
    head: last?.head ?? branch.get(branchRef) ?? null,
  };
}

async function deleteTree(tools: Tools, path: string): Promise<void> {
  const { fs, exec } = tools.host;
  if ((await fs.stat(path)) === null) return;
  try {
    await fs.remove(path);
  } catch {
    // Package caches like to make their folders read-only.
    await exec({ program: "chmod", args: ["-R", "u+rwX", path], okCodes: [0, 1] });
    await fs.remove(path);
  }
}

async function runPreRemove(tools: Tools, ref: WorkspaceRef): Promise<void> {
  const env = { AO_SESSION: ref.sessionId };
  const timeoutMs = tools.config.preRemoveTimeoutMs;
  for (const command of ref.project.preRemove ?? []) {
    try {
      await runUserCommand(tools, "preRemove", { command, cwd: ref.path, env, timeoutMs });
    } catch (error) {
      tools.host.log.warn("a preRemove command failed", { session: ref.sessionId, error: (error as Error).message });
    }
  }
}

function kept(folder: string, reason: string): RemoveOutcome {
  return { kind: "kept", reason: `${folder} ${reason}` };
}
