import type { RemoveOutcome, RemoveWorkspace, WorkspaceRef } from "../../ports/workspace.ts";
import type { Assessment } from "./assess.ts";
import { runUserCommand } from "./command.ts";
import { deleteTree } from "./delete-tree.ts";
import { findForeignContent } from "./half-made.ts";
import type { CheckoutTools } from "./kind.ts";
import { asidePaths, type Place } from "./layout.ts";
import { type Marker, readMarker } from "./marker.ts";
import { listSaved } from "./preserved.ts";
import { readRefs } from "./refs.ts";
import { findCommonDir } from "./repository.ts";
import { supersede } from "./save.ts";

const MAX_LOOKS = 4;

interface Removal {
  readonly ref: RemoveWorkspace;
  readonly place: Place;
  readonly gitDir: string;
  /** The saved state that this checkout started with. */
  readonly restoredFrom: string | null;
}

/** Saves uncommitted work, then removes the folder; a folder that cannot be saved completely stays. */
export async function removeWorkspace(tools: CheckoutTools, ref: RemoveWorkspace): Promise<RemoveOutcome> {
  const { fs } = tools.host;
  const place = { path: ref.path, commonDir: await findCommonDir(fs, ref.project.path) };
  const aside = asidePaths(ref.path);
  // An earlier removal was interrupted: keep deleting what had been compared.
  await deleteTree(tools, aside.deleting);
  await deleteTree(tools, aside.copying);
  const folder = (await fs.stat(ref.path)) !== null ? ref.path : aside.removing;
  if ((await fs.stat(folder)) === null) return removeAbsent(tools, ref, place);
  const gitDir = await tools.kind.findGitDir(folder);
  const marker = gitDir === null ? null : await readMarker(fs, gitDir);
  const objection = findObjection(ref, marker);
  if (gitDir === null || marker === null || objection !== null) return kept(folder, objection ?? "is not a checkout");
  const removal = { ref, place, gitDir, restoredFrom: marker.restoredFrom };
  if (folder === aside.removing) return removeAside(tools, removal, null);
  return removeFolder(tools, removal, marker);
}

/** Why a checkout is not this session's to remove, or null. */
export function findObjection(ref: WorkspaceRef, marker: Marker | null): string | null {
  if (marker === null) return "was not made by ao, or is no longer a checkout";
  if (marker.sessionId !== ref.sessionId) return `belongs to session ${marker.sessionId}`;
  return marker.generation > ref.generation ? "has been restored since" : null;
}

async function removeFolder(tools: CheckoutTools, removal: Removal, marker: Marker): Promise<RemoveOutcome> {
  const { fs } = tools.host;
  const { ref, gitDir } = removal;
  const aside = asidePaths(ref.path);
  if (marker.state === "creating" && (await findForeignContent(tools, ref.path, marker.content)) === null) {
    await fs.rename(ref.path, aside.deleting);
    return discard(tools, removal, { preservedRef: null, head: marker.head });
  }
  await runPreRemove(tools, ref);
  const before = await tools.kind.assess(ref, ref.path, gitDir);
  if (before.kind === "keep") return kept(ref.path, before.reason);
  const saved = await tools.kind.save(ref, ref.path, before);
  if (saved.kind === "refused") return kept(ref.path, saved.reason);
  if ((await fs.stat(aside.removing)) !== null) return kept(ref.path, `has ${aside.removing} in its way`);
  await tools.kind.hold(gitDir);
  await fs.rename(ref.path, aside.removing);
  return removeAside(tools, removal, before);
}

/**
 * The folder was moved aside, so that nobody finds it by its path. It is deleted if it still matches what was saved;
 * anything written in between is saved too; if that keeps happening or fails, the folder is moved back.
 */
async function removeAside(tools: CheckoutTools, removal: Removal, before: Assessment | null): Promise<RemoveOutcome> {
  const { ref } = removal;
  const aside = asidePaths(ref.path);
  // A clone's git folder has moved with it.
  const gitDir = (await tools.kind.findGitDir(aside.removing)) ?? removal.gitDir;
  let last = before;
  for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
    const now = await tools.kind.assess(ref, aside.removing, gitDir);
    if (now.kind === "keep") return putBack(tools, removal, now.reason);
    const saved = await tools.kind.save(ref, aside.removing, now);
    if (saved.kind === "refused") return putBack(tools, removal, saved.reason);
    if (last !== null && JSON.stringify(last) === JSON.stringify(now)) {
      if (now.kind === "clean" && removal.restoredFrom !== null) {
        await supersede(tools, ref.project.path, { sessionId: ref.sessionId, preservedRef: removal.restoredFrom });
      }
      await tools.host.fs.rename(aside.removing, aside.deleting);
      const head = now.kind === "clean" ? now.head : now.snapshot.head;
      return discard(tools, removal, { preservedRef: saved.preservedRef, head });
    }
    last = now;
  }
  return putBack(tools, removal, "has files that keep changing while they are saved");
}

async function putBack(tools: CheckoutTools, { ref, gitDir }: Removal, reason: string): Promise<RemoveOutcome> {
  await tools.host.fs.rename(asidePaths(ref.path).removing, ref.path);
  await tools.kind.release(gitDir);
  return kept(ref.path, reason);
}

async function discard(
  tools: CheckoutTools,
  removal: Removal,
  outcome: { readonly preservedRef: string | null; readonly head: string | null },
): Promise<RemoveOutcome> {
  // The folder is deleted before its entry: a crash in between leaves an entry, which the next call removes.
  await deleteTree(tools, asidePaths(removal.ref.path).deleting);
  await tools.kind.forget(removal.place, removal.gitDir);
  return { kind: "removed", ...outcome };
}

/** The folder is gone: handles what is left of it elsewhere and looks up what was saved. */
async function removeAbsent(tools: CheckoutTools, ref: WorkspaceRef, place: Place): Promise<RemoveOutcome> {
  const reason = await tools.kind.settleAbsent(ref, place);
  if (reason !== null) return kept(ref.path, reason);
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

async function runPreRemove(tools: CheckoutTools, ref: RemoveWorkspace): Promise<void> {
  const env = { ...ref.env, AO_SESSION: ref.sessionId };
  const timeoutMs = tools.config.preRemoveTimeoutMs;
  for (const command of ref.project.preRemove ?? []) {
    try {
      await runUserCommand(tools, "preRemove", { command, cwd: ref.path, env, timeoutMs, enclose: ref.enclose });
    } catch (error) {
      tools.host.log.warn("a preRemove command failed", { session: ref.sessionId, error: (error as Error).message });
    }
  }
}

function kept(folder: string, reason: string): RemoveOutcome {
  return { kind: "kept", reason: `${folder} ${reason}` };
}
