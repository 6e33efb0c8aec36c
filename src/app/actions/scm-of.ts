import { AoError } from "../../core/errors.ts";
import type { ProjectState } from "../../core/project/state.ts";
import type { Scm, ScmProject } from "../../ports/scm.ts";
import type { Kernel } from "../kernel.ts";

/** The scm of a project's pull requests. */
export function scmOf(
  kernel: Kernel,
  projectId: string,
): { readonly scm: Scm; readonly project: ScmProject; readonly state: ProjectState } {
  const state = kernel.engine.loop.world.view.project(projectId);
  if (state === undefined) {
    throw new AoError({ code: "project-unknown", message: `There is no project "${projectId}".` });
  }
  const { id, path, defaultBranch, policy } = state;
  const scm = kernel.plugins.get("scm", policy?.scm ?? { plugin: "local", config: {} }, path);
  return { scm, project: { id, path, defaultBranch }, state };
}
