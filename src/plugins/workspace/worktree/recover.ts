import { join } from "node:path";
import type { CreateWorkspace } from "../../../ports/workspace.ts";
import { findForeignContent } from "../../../providers/git/half-made.ts";
import { asidePaths, type Place, worktreePath } from "../../../providers/git/layout.ts";
import { type Marker, readMarker } from "../../../providers/git/marker.ts";
import { findAdminDir, findCommonDir, readGitFile, removeAdminDir } from "../../../providers/git/repository.ts";
import { saveDetachedHead } from "../../../providers/git/save.ts";
import type { Tools } from "../../../providers/git/tools.ts";
import { rebuildBranch } from "./lost-branch.ts";

/** What is at the place where a session's worktree belongs. */
export type Found =
  | { readonly kind: "absent"; readonly notes: readonly string[] }
  | { readonly kind: "ours"; readonly adminDir: string; readonly marker: Marker }
  /** Something that is not ours, or half-made with content of unknown origin; it is left as it is. */
  | { readonly kind: "foreign"; readonly reason: string };

/** The place of a session's worktree. */
export async function locate(tools: Tools, request: CreateWorkspace): Promise<Place> {
  const path = worktreePath(request.project, request.name);
  return { path, commonDir: await findCommonDir(tools.host.fs, request.project.path) };
}

/** Looks at what is there, and clears away what an interrupted create or remove of ours left half-made. */
export async function recover(tools: Tools, place: Place, request: CreateWorkspace): Promise<Found> {
  const { fs } = tools.host;
  await finishRemoval(tools, place, request);
  const stat = await fs.stat(place.path);
  if (stat === null || (stat.kind === "directory" && (await fs.list(place.path)).length === 0)) {
    return clearRegistration(tools, place, request);
  }
  const adminDir = await readGitFile(fs, place.path);
  if (adminDir === null) return foreign(place, "is in the way: it is not a worktree of this repository");
  if ((await fs.stat(adminDir)) === null) return foreign(place, "belongs to no repository any more");
  const marker = await readMarker(fs, adminDir);
  if (marker === null) return recoverUnmarked(tools, place, request, adminDir);
  if (marker.sessionId !== request.sessionId) return foreign(place, `belongs to session ${marker.sessionId}`);
  if (marker.state !== "creating") return { kind: "ours", adminDir, marker };
  const touched = await findForeignContent(tools, place.path, marker.content);
  if (touched !== null) return foreign(place, `was only half made, and ${touched}`);
  return clear(tools, place, adminDir);
}

// The worktree is registered before its marker can be written: without a single file it is ours by path and branch.
async function recoverUnmarked(tools: Tools, place: Place, request: CreateWorkspace, adminDir: string): Promise<Found> {
  const { fs } = tools.host;
  const empty = (await fs.list(place.path)).every((name) => name === ".git");
  const unused = (await fs.stat(join(adminDir, "index"))) === null;
  const head = (await fs.readText(join(adminDir, "HEAD"))) ?? "";
  // ".invalid" stands there when refs are kept as a reftable.
  const fits = !head.startsWith("ref: ") || [request.branch, ".invalid"].some((b) => head === `ref: refs/heads/${b}\n`);
  if (empty && unused && fits) return clear(tools, place, adminDir);
  return foreign(place, "is a worktree that ao did not make");
}

async function clear(tools: Tools, place: Place, adminDir: string): Promise<Found> {
  await tools.host.fs.remove(place.path);
  await removeAdminDir(tools.host.fs, tools.lane, place.commonDir, adminDir);
  return { kind: "absent", notes: [] };
}

// A folder that is gone leaves its entry behind; git would refuse to use the place again.
async function clearRegistration(tools: Tools, place: Place, request: CreateWorkspace): Promise<Found> {
  const { fs } = tools.host;
  const adminDir = await findAdminDir(fs, place.commonDir, place.path);
  if (adminDir === null) return { kind: "absent", notes: [] };
  const marker = await readMarker(fs, adminDir);
  const unused = marker === null && (await fs.stat(join(adminDir, "index"))) === null;
  if (marker?.sessionId === request.sessionId || unused) {
    const { sessionId, branch } = request;
    const generation = marker?.generation ?? request.generation;
    await saveDetachedHead(tools, adminDir, { cwd: request.project.path, sessionId, generation, branch });
    const note = request.restore ? await rebuildBranch(tools, request, adminDir, null) : null;
    await removeAdminDir(fs, tools.lane, place.commonDir, adminDir);
    return { kind: "absent", notes: note === null ? [] : [note] };
  }
  return foreign(place, "is gone, but git still lists it as a worktree; run git worktree prune");
}

// A removal that was cut short: what was compared goes; what was only moved aside comes back whole.
async function finishRemoval(tools: Tools, place: Place, request: CreateWorkspace): Promise<void> {
  const { fs } = tools.host;
  const aside = asidePaths(place.path);
  if ((await fs.stat(aside.deleting)) !== null) await fs.remove(aside.deleting);
  if ((await fs.stat(aside.removing)) === null || (await fs.stat(place.path)) !== null) return;
  const adminDir = await readGitFile(fs, aside.removing);
  const marker = adminDir === null ? null : await readMarker(fs, adminDir);
  if (marker?.sessionId === request.sessionId) await fs.rename(aside.removing, place.path);
}

function foreign(place: Place, reason: string): Found {
  return { kind: "foreign", reason: `${place.path} ${reason}` };
}
