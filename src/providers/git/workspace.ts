import type { Workspace } from "../../ports/workspace.ts";
import { readChanges } from "./changes.ts";
import { commitAll } from "./commit.ts";
import { createWorkspace, reconcileCreate } from "./create.ts";
import { diffWorkspace } from "./diff.ts";
import { dropPreserved } from "./drop-preserved.ts";
import { inspectWorkspace } from "./inspect.ts";
import type { CheckoutTools } from "./kind.ts";
import { checkoutPath } from "./layout.ts";
import { checkMerged, deleteBranch } from "./merged.ts";
import { removeWorkspace } from "./remove.ts";

/** The workspace slot on checkouts of one kind. */
export function createCheckouts(tools: CheckoutTools): Workspace {
  // One thing at a time for each folder; different folders do not wait for each other.
  const alone = <T>(path: string, task: () => Promise<T>): Promise<T> => tools.lane(`folder:${path}`, task);
  return {
    create: async (request) =>
      alone(checkoutPath(request.project, request.name), () => createWorkspace(tools, request)),
    reconcileCreate: async (request) =>
      alone(checkoutPath(request.project, request.name), () => reconcileCreate(tools, request)),
    remove: (ref) => alone(ref.path, () => removeWorkspace(tools, ref)),
    inspect: (ref) => inspectWorkspace(tools, ref),
    diff: (ref, baseCommit) => diffWorkspace(tools, ref, baseCommit),
    readChanges: (ref) => readChanges(tools, ref),
    commit: (ref, request) => alone(ref.path, () => commitAll(tools, ref, request)),
    checkMerged: (ref) => checkMerged(tools, ref),
    dropPreserved: (ref, dryRun) => dropPreserved(tools, ref, dryRun),
    deleteBranch: (ref) => deleteBranch(tools, ref),
  };
}
