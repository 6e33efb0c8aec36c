import type { CreateWorkspace, ReconcileAnswer, WorkspaceInfo } from "../../../ports/workspace.ts";
import { addExcludes, exactPattern } from "../../../providers/git/exclude.ts";
import { failure } from "../../../providers/git/failure.ts";
import { type Place, pathBelow, worktreeRoot } from "../../../providers/git/layout.ts";
import { type Marker, writeMarker } from "../../../providers/git/marker.ts";
import { type Plan, planWorktree } from "../../../providers/git/plan.ts";
import { prepareContent } from "../../../providers/git/prepare.ts";
import { findCheckout } from "../../../providers/git/refs.ts";
import { readGitFile } from "../../../providers/git/repository.ts";
import { planRestore, writeRestored } from "../../../providers/git/restore.ts";
import { checkSymlinks } from "../../../providers/git/symlink.ts";
import type { Tools } from "../../../providers/git/tools.ts";
import { rebuildBranch } from "./lost-branch.ts";
import { locate, recover } from "./recover.ts";

/** Creates or adopts the session's worktree. */
export async function createWorkspace(tools: Tools, request: CreateWorkspace): Promise<WorkspaceInfo> {
  checkSymlinks(request.project.symlinks ?? []);
  const place = await locate(tools, request);
  const found = await recover(tools, place, request);
  if (found.kind === "foreign") {
    throw failure("conflict", "conflict", {
      message: `No worktree can be made for ${request.sessionId}: ${found.reason}.`,
      hint: "Move or remove that folder, or choose another name.",
      data: { path: place.path },
    });
  }
  if (found.kind === "absent") {
    const made = await build(tools, place, request, found.notes);
    return finish(tools, place, request, made);
  }
  if (found.marker.state === "ready") return adopt(tools, place, request, found);
  return finish(tools, place, request, found);
}

/** After a crash: whole, not there (what was half-made is cleared away), or not to be told. */
export async function reconcileCreate(tools: Tools, request: CreateWorkspace): Promise<ReconcileAnswer<WorkspaceInfo>> {
  const place = await locate(tools, request);
  const found = await recover(tools, place, request);
  if (found.kind === "foreign") return { kind: "unknown", reason: `${found.reason}.` };
  // Content that is whole but not ready stays: create goes on from there and runs postCreate again.
  if (found.kind === "absent" || found.marker.state !== "ready") return { kind: "not-done" };
  if (found.marker.generation !== request.generation) return { kind: "not-done" };
  return { kind: "done", value: infoOf(place, found.marker) };
}

interface Made {
  readonly adminDir: string;
  readonly marker: Marker;
}

async function build(
  tools: Tools,
  place: Place,
  request: CreateWorkspace,
  recovered: readonly string[],
): Promise<Made> {
  const { git, host } = tools;
  const env = { AO_INTENT: request.intentId };
  await excludeRoot(tools, place, request);
  const plan = await planWorktree(tools, request, place.commonDir);
  const restored = plan.saved === null ? null : await planRestore(tools, request.project.path, plan.saved, plan.head);
  await addWorktree(tools, place, request, plan);
  const adminDir = await readGitFile(host.fs, place.path);
  if (adminDir === null)
    throw failure("git-failed", "unavailable", { message: `git made no worktree at ${place.path}.` });
  const workTree = restored?.workTree ?? null;
  const marker: Marker = {
    sessionId: request.sessionId,
    generation: request.generation,
    state: "creating",
    branch: request.branch,
    head: plan.head,
    baseCommit: plan.baseCommit,
    content: workTree ?? plan.head,
    restoredFrom: workTree === null ? null : (plan.saved?.ref ?? null),
    notes: [...recovered, ...plan.notes, ...(restored?.notes ?? [])],
  };
  await writeMarker(host.fs, adminDir, marker);
  if (restored === null || workTree === null) {
    // Like `git worktree add` itself, this runs the user's post-checkout hook; a reset would not.
    await git({
      cwd: place.path,
      env,
      hooks: true,
      args: ["checkout", "--force", "--quiet", "--no-recurse-submodules"],
    });
  } else {
    await writeRestored(tools, place.path, restored, env);
  }
  const prepared: Marker = { ...marker, state: "prepared" };
  await writeMarker(host.fs, adminDir, prepared);
  return { adminDir, marker: prepared };
}

async function addWorktree(tools: Tools, place: Place, request: CreateWorkspace, plan: Plan): Promise<void> {
  const cwd = request.project.path;
  const args = ["worktree", "add", "--no-checkout", ...plan.addArgs(place.path)];
  const env = { AO_INTENT: request.intentId };
  await tools.lane(place.commonDir, async () => {
    try {
      await tools.git({ cwd, env, args });
    } catch (cause) {
      const path = await findCheckout(tools.git, cwd, request.branch).catch(() => null);
      throw path === null ? cause : branchTaken(request.branch, path, cause);
    }
  });
}

function branchTaken(branch: string, path: string, cause: unknown): Error {
  return failure("branch-taken", "conflict", {
    message: `The branch ${branch} is checked out at ${path}.`,
    hint: "Switch that checkout to another branch (or run git worktree prune if it is gone), or choose another branch.",
    data: { branch, path },
    cause,
  });
}

async function excludeRoot(tools: Tools, place: Place, request: CreateWorkspace): Promise<void> {
  const below = pathBelow(request.project.path, worktreeRoot(request.project));
  if (below === null) return;
  await addExcludes(tools.host.fs, tools.lane, place.commonDir, [`${exactPattern(below)}/`]);
}

async function finish(tools: Tools, place: Place, request: CreateWorkspace, made: Made): Promise<WorkspaceInfo> {
  const notes = await prepareContent(tools, place, request);
  const marker: Marker = {
    ...made.marker,
    generation: request.generation,
    state: "ready",
    notes: [...made.marker.notes, ...notes],
  };
  await writeMarker(tools.host.fs, made.adminDir, marker);
  return infoOf(place, marker);
}

async function adopt(tools: Tools, place: Place, request: CreateWorkspace, made: Made): Promise<WorkspaceInfo> {
  if (made.marker.generation === request.generation) return infoOf(place, made.marker);
  // A folder that an earlier removal had to keep: everything is still in it.
  const note = `The folder ${place.path} was still there and is used as it is.`;
  const branchNote = await rebuildBranch(tools, request, made.adminDir, made.marker.head);
  const notes = branchNote === null ? [note] : [note, branchNote];
  const marker: Marker = { ...made.marker, generation: request.generation, notes };
  await writeMarker(tools.host.fs, made.adminDir, marker);
  return infoOf(place, marker);
}

function infoOf(place: Place, marker: Marker): WorkspaceInfo {
  const { branch, head, baseCommit, restoredFrom, notes } = marker;
  return { path: place.path, branch, head, baseCommit, restoredFrom, notes };
}
