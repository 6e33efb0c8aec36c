import type { ProjectPolicy } from "../policy.ts";
import { nextAttempt, resultOn } from "../project/commit-check.ts";
import type { ProjectState } from "../project/state.ts";
import type { World } from "../world.ts";
import { listSuspects, type SearchStep, searchCulprit } from "./find-culprit.ts";

/** The checks that run on the base after each merge; empty while the guard is off. */
export function mainChecks(policy: ProjectPolicy): readonly string[] {
  if ((policy.mainGuard ?? "off") === "off" || policy.scm.plugin !== "local") return [];
  return Object.entries(policy.checks)
    .filter(([, { on }]) => on.includes("main"))
    .map(([name]) => name);
}

/** unknown: a check could not run. */
type MainVerdict = "pending" | "green" | "unknown" | { readonly red: string };

/** What the checks say about the watched commit of the base. */
export function judgeMain(project: ProjectState, policy: ProjectPolicy): MainVerdict {
  const watched = project.main?.watched ?? null;
  if (watched === null) return "pending";
  const results = mainChecks(policy).map((check) => [check, resultOn(project, watched, check)] as const);
  if (results.some(([, result]) => result === null)) return "pending";
  const red = results.find(([, result]) => result === "failed" || result === "timed-out");
  if (red !== undefined) return { red: red[0] };
  return results.every(([, result]) => result === "passed") ? "green" : "unknown";
}

/** The next step in finding out which merge broke the base; null: it is not broken, or that is known. */
export function nextStep(world: World, project: ProjectState): SearchStep | null {
  const broken = project.main?.broken ?? null;
  if (broken === null || broken.culprit !== null) return null;
  return searchCulprit(listSuspects(world, project), (commit) => resultOn(project, commit, broken.check));
}

/** Check runs that the guard needs, with the attempt. */
export function missingMainChecks(
  world: World,
  project: ProjectState,
  policy: ProjectPolicy,
): readonly { readonly commit: string; readonly name: string; readonly attempt: number }[] {
  const { watched = null, broken = null } = project.main ?? {};
  const step = nextStep(world, project);
  const wanted = [
    ...(watched === null ? [] : mainChecks(policy).map((name) => ({ commit: watched, name }))),
    ...(step?.kind === "check" && broken !== null && policy.checks[broken.check] !== undefined
      ? [{ commit: step.commit, name: broken.check }]
      : []),
  ];
  return wanted.flatMap(({ commit, name }) => {
    if (resultOn(project, commit, name) !== null) return [];
    return [{ commit, name, attempt: nextAttempt(project, commit, name) }];
  });
}
