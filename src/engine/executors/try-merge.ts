import type { ChangeSize } from "../../core/change/state.ts";
import { findHeld, manifestsOf } from "../../core/held/find-held.ts";
import type { HeldRule } from "../../core/held/held.ts";
import type { Scm, ScmProject } from "../../ports/scm.ts";
import { type Executor, requireChange } from "../executor.ts";

/** Would the change merge? Tried in memory; trying twice is fine. */
export const tryMerge: Executor<"try-merge"> = {
  survivesDaemon: false,
  concurrency: 4,
  execute: async (spec, _intentId, deps) => {
    const { projectId } = requireChange(deps, spec.changeKey);
    const [scm, project] = [deps.scmOf(projectId), deps.scmProjectOf(projectId)];
    const { head, baseHead, landed } = spec;
    const start = landed === undefined ? null : await scm.findOwnStart(project, { head, baseHead, landed });
    const own = start === null ? {} : { startsAfter: start };
    // A forge merges by its own rules.
    const answer = await scm.tryMerge(project, { head, baseHead, ...(scm.remote === undefined ? own : {}) });
    const base = start ?? baseHead;
    const held = deps.policyOf(projectId)?.held;
    const measure = spec.measure === true ? { size: await measureChange(scm, project, { head, base, held }) } : {};
    return {
      kind: "merge-tried",
      result: answer.kind,
      files: answer.kind === "conflict" ? answer.files : [],
      reason: answer.kind === "unknown" ? answer.reason : null,
      ...measure,
      ...own,
    };
  },
  reconcile: async () => ({ kind: "not-done" }),
};

// A person decides about what cannot be measured; the trial itself still counts.
async function measureChange(
  scm: Scm,
  project: ScmProject,
  { held, ...commits }: { readonly head: string; readonly base: string; readonly held: HeldRule | undefined },
): Promise<ChangeSize | null> {
  try {
    const size = await scm.countChanges(project, commits);
    if (held === undefined) return size;
    const names = manifestsOf(held, size.paths);
    const manifests = names.length === 0 ? [] : await scm.readVersions(project, { ...commits, paths: names });
    return { ...size, held: findHeld(held, { changed: size.paths, manifests }) };
  } catch {
    return null;
  }
}
