import { basename, dirname, join } from "node:path";
import type { CreateWorkspace } from "../../../ports/workspace.ts";
import { coverPath, recordProject } from "../../../providers/git/cover.ts";
import type { Plan } from "../../../providers/git/kind.ts";
import { checkoutRoot, type Place } from "../../../providers/git/layout.ts";
import { type Marker, readMarker, writeMarker } from "../../../providers/git/marker.ts";
import { branchTaken, findCheckout, readRefs } from "../../../providers/git/refs.ts";
import type { Tools } from "../../../providers/git/tools.ts";
import { restoreKept } from "./kept.ts";
import { withMirror } from "./mirror.ts";
import { SEEN } from "./publish.ts";
import { writeSettings } from "./settings.ts";
import { CLONE, FETCH } from "./transfer.ts";

/** Where a clone is assembled; it is moved into place in one step, with its marker. */
export function buildingPath(path: string): string {
  return join(dirname(path), `.ao-cloning-${basename(path)}`);
}

/** Creates a clone with HEAD as planned and no files checked out; returns its git folder. */
export async function makeClone(
  tools: Tools,
  home: string,
  {
    place,
    request,
    plan,
    marker,
  }: { readonly place: Place; readonly request: CreateWorkspace; readonly plan: Plan; readonly marker: Marker },
): Promise<string> {
  const { fs } = tools.host;
  const project = request.project.path;
  const building = buildingPath(place.path);
  if (plan.onto?.branch === request.branch) await claimBranch(tools, place, { request, plan });
  await fs.makeDir(dirname(building));
  await recordProject(fs, coverPath(home, place.path), place.commonDir);
  await withMirror(tools, home, {
    place,
    project,
    task: async (mirror) => {
      await fs.remove(building);
      await tools.git({
        cwd: dirname(building),
        args: [...CLONE, mirror, building],
        env: { AO_INTENT: request.intentId },
        discover: true,
      });
      const { hasOrigin } = await writeSettings(tools, join(building, ".git"), { commonDir: place.commonDir, project });
      const others = hasOrigin ? "+refs/remotes/*:refs/remotes/*" : "+refs/heads/*:refs/remotes/origin/*";
      await tools.git({ cwd: building, args: [...FETCH, mirror, others] });
    },
  });
  if (request.restore) await bringSaved(tools, request, { plan, building });
  await setHead(tools, request, { plan, building });
  await writeMarker(fs, join(building, ".git"), marker);
  await fs.rename(building, place.path);
  return join(place.path, ".git");
}

/** The branch is made in the project first: what an agent works on can always be published. */
async function claimBranch(
  tools: Tools,
  place: Place,
  { request, plan }: { readonly request: CreateWorkspace; readonly plan: Plan },
): Promise<void> {
  const cwd = request.project.path;
  const { branch } = request;
  await tools.lane(place.commonDir, async () => {
    if (plan.onto?.isNew === true) {
      // The empty old value means "must not exist": a branch that appeared meanwhile is not moved.
      await tools.git({ cwd, args: ["update-ref", "-m", "ao: created", `refs/heads/${branch}`, plan.head, ""] });
      return;
    }
    const taken = (await findCheckout(tools.git, cwd, branch)) ?? (await findSibling(tools, request));
    if (taken !== null) throw branchTaken(branch, taken);
  });
}

async function findSibling(tools: Tools, request: CreateWorkspace): Promise<string | null> {
  const root = checkoutRoot(request.project);
  for (const name of await tools.host.fs.list(root)) {
    const marker = await readMarker(tools.host.fs, join(root, name, ".git"));
    if (marker?.branch === request.branch && marker.sessionId !== request.sessionId) return join(root, name);
  }
  return null;
}

async function bringSaved(
  tools: Tools,
  request: CreateWorkspace,
  { plan, building }: { readonly plan: Plan; readonly building: string },
): Promise<void> {
  if (plan.saved !== null) {
    const refspec = `+${plan.saved.ref}:refs/ao/restored`;
    await tools.git({ cwd: building, args: [...FETCH, request.project.path, refspec] });
  }
  await restoreKept(tools, request, building);
}

async function setHead(
  tools: Tools,
  request: CreateWorkspace,
  { plan, building }: { readonly plan: Plan; readonly building: string },
): Promise<void> {
  const own = `refs/heads/${request.branch}`;
  const there = (await readRefs(tools.git, request.project.path, [own])).get(own);
  const lines = there === undefined ? [] : [`update ${own} ${there}`, `update ${SEEN} ${there}`];
  if (plan.onto === null) lines.push("option no-deref", `update HEAD ${plan.head}`);
  else if (plan.onto.branch !== request.branch) lines.push(`update refs/heads/${plan.onto.branch} ${plan.head}`);
  const stdin = lines.map((line) => `${line}\n`).join("");
  await tools.git({ cwd: building, args: ["update-ref", "-m", "ao: cloned", "--stdin"], stdin });
  if (plan.onto === null) return;
  await tools.git({ cwd: building, args: ["symbolic-ref", "HEAD", `refs/heads/${plan.onto.branch}`] });
}
