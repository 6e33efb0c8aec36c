import type { CreateWorkspace, ReconcileAnswer, WorkspaceInfo } from "../../ports/workspace.ts";
import { addExcludes, exactPattern } from "./exclude.ts";
import { failure } from "./failure.ts";
import type { CheckoutTools } from "./kind.ts";
import { checkoutRoot, type Place, pathBelow } from "./layout.ts";
import { type Marker, writeMarker } from "./marker.ts";
import { planCheckout } from "./plan.ts";
import { type Made, prepareContent } from "./prepare.ts";
import { describeForeign } from "./programs.ts";
import { locate, recover } from "./recover.ts";
import { planRestore, type Restored, writeRestored } from "./restore.ts";
import { checkSymlinks } from "./symlink.ts";

/** Creates or adopts the session's checkout. */
export async function createWorkspace(tools: CheckoutTools, request: CreateWorkspace): Promise<WorkspaceInfo> {
  checkSymlinks(request.project.symlinks ?? []);
  const place = await locate(tools, request);
  const found = await recover(tools, place, request);
  if (found.kind === "foreign") {
    throw failure("conflict", "conflict", {
      message: `No checkout can be made for ${request.sessionId}: ${found.reason}.`,
      hint: "Move or remove that folder, or choose another name.",
      data: { path: place.path },
    });
  }
  if (found.kind === "absent") {
    const made = await build(tools, place, { request, recovered: found.notes });
    return finish(tools, place, { request, made });
  }
  if (found.marker.state === "ready") return adopt(tools, place, { request, made: found });
  // The content was complete, so postCreate may have run already.
  return finish(tools, place, { request: { ...request, attempt: request.attempt + 1 }, made: found });
}

/** After a crash: complete, absent (partial content is removed), or unknown. */
export async function reconcileCreate(
  tools: CheckoutTools,
  request: CreateWorkspace,
): Promise<ReconcileAnswer<WorkspaceInfo>> {
  const place = await locate(tools, request);
  const found = await recover(tools, place, request);
  if (found.kind === "foreign") return { kind: "unknown", reason: `${found.reason}.` };
  // Content that is complete but not ready stays: create continues from there and runs postCreate again.
  if (found.kind === "absent" || found.marker.state !== "ready") return { kind: "not-done" };
  if (found.marker.generation !== request.generation) return { kind: "not-done" };
  return { kind: "done", value: infoOf(place, found.marker) };
}

async function build(
  tools: CheckoutTools,
  place: Place,
  { request, recovered }: { readonly request: CreateWorkspace; readonly recovered: readonly string[] },
): Promise<Made> {
  const { fs } = tools.host;
  await excludeRoot(tools, place, request);
  const plan = await planCheckout(tools, place, request);
  const planned: Marker = {
    sessionId: request.sessionId,
    generation: request.generation,
    state: "creating",
    branch: request.branch,
    head: plan.head,
    baseCommit: plan.baseCommit,
    content: plan.head,
    restoredFrom: null,
    notes: [...recovered, ...plan.notes],
  };
  const gitDir = await tools.kind.make({ place, request, plan, marker: planned });
  const restored =
    plan.saved === null ? null : await planRestore(tools, place.path, { saved: plan.saved, head: plan.head });
  const workTree = restored?.workTree ?? null;
  const marker: Marker = {
    ...planned,
    content: workTree ?? plan.head,
    restoredFrom: workTree === null ? null : (plan.saved?.ref ?? null),
    notes: [...planned.notes, ...(restored?.notes ?? [])],
  };
  await writeMarker(fs, gitDir, marker);
  await writeContent(tools, place, { request, restored });
  const prepared: Marker = { ...marker, state: "prepared" };
  await writeMarker(fs, gitDir, prepared);
  return { gitDir, marker: prepared };
}

async function writeContent(
  tools: CheckoutTools,
  place: Place,
  { request, restored }: { readonly request: CreateWorkspace; readonly restored: Restored | null },
): Promise<void> {
  const env = { AO_INTENT: request.intentId };
  if (restored !== null && restored.workTree !== null) return writeRestored(tools, place.path, { restored, env });
  // Like `git worktree add` itself, this runs the user's post-checkout hook; a reset would not.
  const args = ["checkout", "--force", "--quiet", "--no-recurse-submodules"];
  await tools.git({ cwd: place.path, env, hooks: true, args });
}

async function excludeRoot(tools: CheckoutTools, place: Place, request: CreateWorkspace): Promise<void> {
  const below = pathBelow(request.project.path, checkoutRoot(request.project));
  if (below === null) return;
  await addExcludes(tools.host.fs, tools.lane, { commonDir: place.commonDir, patterns: [`${exactPattern(below)}/`] });
}

async function finish(
  tools: CheckoutTools,
  place: Place,
  { request, made }: { readonly request: CreateWorkspace; readonly made: Made },
): Promise<WorkspaceInfo> {
  const notes = await prepareContent(tools, place, { made, request });
  const marker: Marker = {
    ...made.marker,
    generation: request.generation,
    state: "ready",
    notes: [...made.marker.notes, ...notes, ...describeForeign(place.commonDir)],
  };
  await writeMarker(tools.host.fs, made.gitDir, marker);
  return infoOf(place, marker);
}

async function adopt(
  tools: CheckoutTools,
  place: Place,
  { request, made }: { readonly request: CreateWorkspace; readonly made: Made },
): Promise<WorkspaceInfo> {
  if (made.marker.generation === request.generation) return infoOf(place, made.marker);
  // An earlier removal had to keep this folder: everything is still in it.
  const note = `The folder ${place.path} was still there and is used as it is.`;
  const branchNote = await tools.kind.rebuildBranch(request, place, made.gitDir, made.marker.head);
  const notes = branchNote === null ? [note] : [note, branchNote];
  const marker: Marker = { ...made.marker, generation: request.generation, notes };
  await writeMarker(tools.host.fs, made.gitDir, marker);
  return infoOf(place, marker);
}

function infoOf(place: Place, marker: Marker): WorkspaceInfo {
  const { branch, head, baseCommit, restoredFrom, notes } = marker;
  return { path: place.path, branch, head, baseCommit, restoredFrom, notes };
}
