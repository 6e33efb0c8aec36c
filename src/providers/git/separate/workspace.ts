import type { MergedAnswer, Workspace, WorkspaceRef } from "../../../ports/workspace.ts";
import { failure } from "../failure.ts";
import type { CheckoutTools } from "../kind.ts";
import { readRefs } from "../refs.ts";
import { findCommonDir } from "../repository.ts";
import { createCheckouts } from "../workspace.ts";
import { dropKept } from "./kept.ts";
import { findUnsaved, isPublished, listLocalRefs } from "./local-refs.ts";
import { publishBranch } from "./publish.ts";

interface SeparateWorkspace extends Workspace {
  publish(ref: WorkspaceRef): Promise<{ readonly head: string }>;
}

/** The workspace slot on checkouts that are repositories of their own. */
export function createSeparate(tools: CheckoutTools): SeparateWorkspace {
  const checkouts = createCheckouts(tools);
  return {
    ...checkouts,
    checkMerged: async (ref) => (await findLoose(tools, ref)) ?? checkouts.checkMerged(ref),
    dropPreserved: async (ref, dryRun) => [
      ...(await checkouts.dropPreserved(ref, dryRun)),
      ...(await dropKept(tools, ref, dryRun)),
    ],
    // The branch in the project may be behind the one in the checkout.
    deleteBranch: async (ref) =>
      (await tools.kind.findGitDir(ref.path)) === null && (await checkouts.deleteBranch(ref)),
    publish: (ref) => tools.lane(`folder:${ref.path}`, () => publish(tools, ref)),
  };
}

async function publish(tools: CheckoutTools, ref: WorkspaceRef): Promise<{ readonly head: string }> {
  await findCommonDir(tools.host.fs, ref.project.path);
  const isThere = (await tools.kind.findGitDir(ref.path)) !== null;
  const answer = isThere ? await publishBranch(tools, ref, ref.path) : ({ kind: "nothing" } as const);
  if (answer.kind === "published") return { head: answer.head };
  if (answer.kind === "refused") {
    throw failure("conflict", "conflict", {
      message: `${ref.path} cannot be published: ${answer.reason}.`,
      hint: "Take the commits into the clone with git fetch project, or switch that checkout to another branch.",
      data: { branch: ref.branch, path: ref.path },
    });
  }
  const name = `refs/heads/${ref.branch}`;
  const head = (await readRefs(tools.git, ref.project.path, [name])).get(name);
  if (head !== undefined) return { head };
  throw failure("workspace-missing", "not-found", {
    message: `There is no branch ${ref.branch}, neither at ${ref.path} nor in ${ref.project.path}.`,
  });
}

async function findLoose(tools: CheckoutTools, ref: WorkspaceRef): Promise<MergedAnswer | null> {
  if ((await tools.kind.findGitDir(ref.path)) === null) return null;
  await findCommonDir(tools.host.fs, ref.project.path);
  const no = (reason: string): MergedAnswer => ({ merged: false, exists: true, reason: `${ref.path} has ${reason}.` });
  const project = ref.project.path;
  if (!(await isPublished(tools, project, { folder: ref.path, branch: ref.branch })))
    return no("commits that are not published");
  const [loose] = await findUnsaved(tools, project, { refs: await listLocalRefs(tools, ref.path), branch: ref.branch });
  return loose === undefined ? null : no(`${loose.name}, which the project does not have`);
}
