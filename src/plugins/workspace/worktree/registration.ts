import { join } from "node:path";
import { isBranchName } from "../../../core/branch-name.ts";
import type { CreateWorkspace, WorkspaceRef } from "../../../ports/workspace.ts";
import { failure } from "../../../providers/git/failure.ts";
import type { CheckoutTools, Found, Plan } from "../../../providers/git/kind.ts";
import type { Place } from "../../../providers/git/layout.ts";
import { readMarker } from "../../../providers/git/marker.ts";
import { clearHalfMade, foreign } from "../../../providers/git/recover.ts";
import { branchTaken, findCheckout } from "../../../providers/git/refs.ts";
import { findObjection } from "../../../providers/git/remove.ts";
import { readGitFile } from "../../../providers/git/repository.ts";
import { saveDetachedHead } from "../../../providers/git/save.ts";
import { findSibling } from "../../../providers/git/separate/begin.ts";
import { findAdminDir, removeAdminDir } from "./admin-dir.ts";
import { readLock } from "./lock.ts";
import { rebuildBranch } from "./lost-branch.ts";

/** Registers a worktree and creates its folder without files; returns its git folder. */
export async function addWorktree(
  tools: CheckoutTools,
  place: Place,
  { request, plan }: { readonly request: CreateWorkspace; readonly plan: Plan },
): Promise<string> {
  const cwd = request.project.path;
  const args = ["worktree", "add", "--no-checkout", ...headArgs(place.path, plan)];
  const env = { AO_INTENT: request.intentId };
  await tools.lane(place.commonDir, async () => {
    const sibling = plan.onto?.isNew === false ? await findSibling(tools, request) : null;
    if (sibling !== null) throw branchTaken(request.branch, sibling);
    try {
      await tools.git({ cwd, env, args });
    } catch (cause) {
      const path = await findCheckout(tools.git, cwd, request.branch).catch(() => null);
      throw path === null ? cause : branchTaken(request.branch, path, cause);
    }
  });
  const adminDir = await readGitFile(tools.host.fs, place.path);
  if (adminDir !== null) return adminDir;
  throw failure("git-failed", "unavailable", { message: `git made no worktree at ${place.path}.` });
}

function headArgs(path: string, { onto, head }: Plan): readonly string[] {
  if (onto === null) return ["--detach", path, head];
  // Git treats a branch that starts with a dash as an option, whatever comes before it.
  if (!isBranchName(onto.branch)) {
    throw failure("git-failed", "config", { message: `"${onto.branch}" is not a valid branch name.` });
  }
  return onto.isNew ? ["--no-track", "-b", onto.branch, path, head] : [path, onto.branch];
}

/** A worktree is registered before its marker can be written: without a single file it is ours by path and branch. */
export async function judgeUnmarked(
  tools: CheckoutTools,
  place: Place,
  { request, adminDir }: { readonly request: CreateWorkspace; readonly adminDir: string },
): Promise<Found> {
  const { fs } = tools.host;
  const empty = (await fs.list(place.path)).every((name) => name === ".git");
  const unused = (await fs.stat(join(adminDir, "index"))) === null;
  const head = (await fs.readText(join(adminDir, "HEAD"))) ?? "";
  // With a reftable, HEAD contains ".invalid".
  const fits = !head.startsWith("ref: ") || [request.branch, ".invalid"].some((b) => head === `ref: refs/heads/${b}\n`);
  if (empty && unused && fits) return clearHalfMade(tools, place, adminDir);
  return foreign(place, "is a worktree that ao did not make");
}

/** A deleted folder leaves its entry behind; git would refuse to reuse the place. */
export async function clearRegistration(tools: CheckoutTools, place: Place, request: CreateWorkspace): Promise<Found> {
  const { fs } = tools.host;
  const adminDir = await findAdminDir(fs, place.commonDir, place.path);
  if (adminDir === null) return { kind: "absent", notes: [] };
  const marker = await readMarker(fs, adminDir);
  const unused = marker === null && (await fs.stat(join(adminDir, "index"))) === null;
  if (marker?.sessionId === request.sessionId || unused) {
    const { sessionId, branch } = request;
    const generation = marker?.generation ?? request.generation;
    await saveDetachedHead(tools, adminDir, { cwd: request.project.path, sessionId, generation, branch });
    const note = request.restore ? await rebuildBranch(tools, request, { adminDir, fallback: null }) : null;
    await removeAdminDir(fs, tools.lane, { commonDir: place.commonDir, adminDir });
    return { kind: "absent", notes: note === null ? [] : [note] };
  }
  return foreign(place, "is gone, but git still lists it as a worktree; run git worktree prune");
}

/**
 * The folder was deleted by hand: saves what its entry knows, and removes the entry; returns a reason if it is locked.
 */
export async function settleEntry(tools: CheckoutTools, ref: WorkspaceRef, place: Place): Promise<string | null> {
  const { fs } = tools.host;
  const adminDir = await findAdminDir(fs, place.commonDir, ref.path);
  const marker = adminDir === null ? null : await readMarker(fs, adminDir);
  const own = marker !== null && findObjection(ref, marker) === null;
  if (own && adminDir !== null && (await readLock(fs, adminDir)) !== null) return "is gone, but its worktree is locked";
  if (own && adminDir !== null) {
    const { sessionId, generation, branch } = ref;
    await saveDetachedHead(tools, adminDir, { cwd: ref.project.path, sessionId, generation, branch });
  }
  await removeAdminDir(fs, tools.lane, { commonDir: place.commonDir, adminDir: own ? adminDir : null });
  return null;
}
