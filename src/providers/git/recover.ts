import type { CreateWorkspace } from "../../ports/workspace.ts";
import { deleteTree } from "./delete-tree.ts";
import { findForeignContent } from "./half-made.ts";
import type { CheckoutTools, Found } from "./kind.ts";
import { asidePaths, checkoutPath, type Place } from "./layout.ts";
import { readMarker } from "./marker.ts";
import { findCommonDir } from "./repository.ts";

/** The place of a session's checkout. */
export async function locate(tools: CheckoutTools, request: CreateWorkspace): Promise<Place> {
  const path = checkoutPath(request.project, request.name);
  return { path, commonDir: await findCommonDir(tools.host.fs, request.project.path) };
}

/** Inspects the place and removes what an interrupted create or remove left behind. */
export async function recover(tools: CheckoutTools, place: Place, request: CreateWorkspace): Promise<Found> {
  const { fs } = tools.host;
  await finishRemoval(tools, place, request);
  const stat = await fs.stat(place.path);
  if (stat === null || (stat.kind === "directory" && (await fs.list(place.path)).length === 0)) {
    return tools.kind.clearAbsent(place, request);
  }
  const gitDir = await tools.kind.findGitDir(place.path);
  if (gitDir === null) return foreign(place, "is in the way: it is not a checkout that ao made here");
  if ((await fs.stat(gitDir)) === null) return foreign(place, "no longer belongs to a repository");
  const marker = await readMarker(fs, gitDir);
  if (marker === null) return tools.kind.judgeUnmarked(place, request, gitDir);
  if (marker.sessionId !== request.sessionId) return foreign(place, `belongs to session ${marker.sessionId}`);
  if (marker.state !== "creating") {
    await tools.kind.release(gitDir);
    return { kind: "ours", gitDir, marker };
  }
  const touched = await findForeignContent(tools, place.path, marker.content);
  if (touched !== null) return foreign(place, `was only half made, and ${touched}`);
  return clearHalfMade(tools, place, gitDir);
}

/** Removes a checkout that contains only what git wrote. */
export async function clearHalfMade(tools: CheckoutTools, place: Place, gitDir: string): Promise<Found> {
  await tools.host.fs.remove(place.path);
  await tools.kind.forget(place, gitDir);
  return { kind: "absent", notes: [] };
}

// An interrupted removal: what was compared is deleted; what was only moved aside comes back complete.
async function finishRemoval(tools: CheckoutTools, place: Place, request: CreateWorkspace): Promise<void> {
  const { fs } = tools.host;
  const aside = asidePaths(place.path);
  await deleteTree(tools, aside.deleting);
  await deleteTree(tools, aside.copying);
  if ((await fs.stat(aside.removing)) === null || (await fs.stat(place.path)) !== null) return;
  const gitDir = await tools.kind.findGitDir(aside.removing);
  const marker = gitDir === null ? null : await readMarker(fs, gitDir);
  if (marker?.sessionId === request.sessionId) await fs.rename(aside.removing, place.path);
}

/** Something else is at the place; it is left alone. */
export function foreign(place: Place, reason: string): Found {
  return { kind: "foreign", reason: `${place.path} ${reason}` };
}
