import { join } from "node:path";
import type { CreateWorkspace } from "../../../ports/workspace.ts";
import type { Plan } from "../kind.ts";
import { checkoutRoot, type Place } from "../layout.ts";
import { readMarker } from "../marker.ts";
import { branchTaken, findCheckout, readRefs } from "../refs.ts";
import type { Tools } from "../tools.ts";
import { restoreKept } from "./kept.ts";
import { SEEN } from "./publish.ts";
import { FETCH } from "./transfer.ts";

/** The branch is made in the project first: what an agent works on can always be published. */
export async function claimBranch(
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

/** The folder of another session's checkout with a repository of its own that has the branch, or null. */
export async function findSibling(tools: Tools, request: CreateWorkspace): Promise<string | null> {
  const root = checkoutRoot(request.project);
  for (const name of await tools.host.fs.list(root)) {
    const marker = await readMarker(tools.host.fs, join(root, name, ".git"));
    if (marker?.branch === request.branch && marker.sessionId !== request.sessionId) return join(root, name);
  }
  return null;
}

/** Restores what was saved when an earlier checkout of the session was removed. */
export async function bringSaved(
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

/** Puts HEAD and the session's branch of a new repository where the plan says. */
export async function setHead(
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
