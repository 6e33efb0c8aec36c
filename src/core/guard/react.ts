import type { Intent, ProjectSpec } from "../intent.ts";
import { checkIntent, projectIntent } from "../project/intent.ts";
import type { ProjectState } from "../project/state.ts";
import { isPaused, type World } from "../world.ts";
import { mainChecks, missingMainChecks } from "./guard.ts";

/** What the main guard wants done now: checks on the base, and reverting the merge that broke it. */
export function mainWanted(world: World, project: ProjectState): readonly Intent[] {
  const { id: projectId, policy, main, commitChecks } = project;
  if (policy === null || main === undefined || mainChecks(policy).length === 0) return [];
  const isHeld = isPaused(world, projectId);
  const checks = missingMainChecks(world, project, policy)
    .filter(({ commit, name, attempt }) => {
      const run = commitChecks?.[commit]?.[name];
      return !isHeld || (run?.state === "running" && run.attempt === attempt);
    })
    .map((run) => checkIntent(projectId, run));
  const { broken } = main;
  const key = broken?.culprit?.key ?? null;
  const isDue = broken !== null && broken.revert === null && broken.failure === null && policy.mainGuard === "auto";
  if (isHeld || !isDue || key === null || broken.culprit === null) return checks;
  const { commit } = broken.culprit;
  const spec: ProjectSpec = { kind: "revert-merge", projectId, key, commit, check: broken.check };
  return [...checks, projectIntent(spec, `merge:${projectId}`, [commit, 1])];
}
