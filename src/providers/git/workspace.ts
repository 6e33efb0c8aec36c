import type { PreservedRef, Workspace, WorkspaceProject, WorkspaceRef } from "../../ports/workspace.ts";
import { readChanges } from "./changes.ts";
import { commitAll } from "./commit.ts";
import { createWorkspace, reconcileCreate } from "./create.ts";
import { diffWorkspace } from "./diff.ts";
import { inspectWorkspace } from "./inspect.ts";
import type { CheckoutTools } from "./kind.ts";
import { checkoutPath } from "./layout.ts";
import { checkMerged, deleteBranch } from "./merged.ts";
import { listSaved, supersededPrefix } from "./preserved.ts";
import { removeWorkspace } from "./remove.ts";
import { findCommonDir } from "./repository.ts";
import type { Tools } from "./tools.ts";

/** The workspace slot on checkouts of one kind. */
export function createCheckouts(tools: CheckoutTools): Workspace {
  // One operation at a time per folder; different folders do not wait for each other.
  const alone = <T>(path: string, task: () => Promise<T>): Promise<T> => tools.lane(`folder:${path}`, task);
  // Starts from the project, so that no checkout can point to another repository.
  const known = async <T>({ project }: { readonly project: WorkspaceProject }, task: () => Promise<T>): Promise<T> => {
    await findCommonDir(tools.host.fs, project.path);
    return task();
  };
  return {
    create: async (request) =>
      alone(checkoutPath(request.project, request.name), () => createWorkspace(tools, request)),
    reconcileCreate: async (request) =>
      alone(checkoutPath(request.project, request.name), () => reconcileCreate(tools, request)),
    remove: (ref) => alone(ref.path, () => removeWorkspace(tools, ref)),
    inspect: (ref) => inspectWorkspace(tools, ref),
    diff: (ref, baseCommit) => known(ref, () => diffWorkspace(tools, ref, baseCommit)),
    readChanges: (ref) => known(ref, () => readChanges(tools, ref)),
    commit: (ref, request) => known(ref, () => alone(ref.path, () => commitAll(tools, ref, request))),
    checkMerged: (ref) => known(ref, () => checkMerged(tools, ref)),
    dropPreserved: (ref, dryRun) => known(ref, () => dropPreserved(tools, ref, dryRun)),
    deleteBranch: (ref) => known(ref, () => deleteBranch(tools, ref)),
  };
}

/** Deletes a session's saved states and returns their names and commits, so that a person can restore one by hand. */
async function dropPreserved(tools: Tools, ref: WorkspaceRef, dryRun: boolean): Promise<readonly PreservedRef[]> {
  const cwd = ref.project.path;
  const { all } = await listSaved(tools.git, cwd, ref.sessionId);
  const states = all.map(({ ref: name, commit }) => ({ ref: name, commit }));
  if (dryRun) return states;
  for (const state of states) {
    // Compare and swap: a state that was just overwritten stays.
    await tools.git({ cwd, args: ["update-ref", "-d", state.ref, state.commit], okCodes: [0, 1, 128] });
  }
  const history = await tools.git({
    cwd,
    args: ["for-each-ref", "--format=%(refname)", supersededPrefix(ref.sessionId)],
  });
  for (const name of history.stdout.split("\n").filter((line) => line !== "")) {
    await tools.git({ cwd, args: ["update-ref", "-d", name], okCodes: [0, 1, 128] });
  }
  return states;
}
