import type { ChangeSize } from "../../core/change/state.ts";
import type { Scm, ScmProject } from "../../ports/scm.ts";
import { type Executor, requireChange, type SpecOf } from "../executor.ts";

/** Would the change merge? Tried in memory; trying twice is fine. */
export const tryMerge: Executor<"try-merge"> = {
  survivesDaemon: false,
  concurrency: 4,
  execute: async (spec, _intentId, deps) => {
    const { projectId } = requireChange(deps, spec.changeKey);
    const [scm, project] = [deps.scmOf(projectId), deps.scmProjectOf(projectId)];
    const answer = await scm.tryMerge(project, { head: spec.head, baseHead: spec.baseHead });
    const measure = spec.measure === true ? { size: await measureChange(scm, project, spec) } : {};
    return {
      kind: "merge-tried",
      result: answer.kind,
      files: answer.kind === "conflict" ? answer.files : [],
      reason: answer.kind === "unknown" ? answer.reason : null,
      ...measure,
    };
  },
  reconcile: async () => ({ kind: "not-done" }),
};

// A person decides about what cannot be measured; the trial itself still counts.
async function measureChange(
  scm: Scm,
  project: ScmProject,
  { head, baseHead }: SpecOf<"try-merge">,
): Promise<ChangeSize | null> {
  return scm.countChanges(project, { head, base: baseHead }).catch(() => null);
}
