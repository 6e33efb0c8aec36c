import { type Intent, intentId, type ProjectSpec, type Wanted } from "../intent.ts";
import type { ProjectState } from "../project/state.ts";
import { projectStream } from "../stream.ts";
import { isPaused, type World } from "../world.ts";
import { missingChecks, tipOf } from "./batch.ts";

/** What a project's merge train wants done now: a batch is built, then checked. Merging is for its pull requests. */
export function reactProject(world: World, project: ProjectState): Wanted {
  return { intents: project.removed ? [] : trainWanted(world, project), wakeAt: null };
}

function trainWanted(world: World, project: ProjectState): readonly Intent[] {
  const { policy, train, id: projectId } = project;
  const batch = train?.batch ?? null;
  if (policy === null || batch === null) return [];
  const isHeld = isPaused(world, projectId);
  const tip = tipOf(batch);
  if (tip === null) {
    if (isHeld) return [];
    const spec: ProjectSpec = {
      kind: "build-train",
      projectId,
      batch: batch.number,
      base: batch.base,
      cars: batch.cars,
    };
    return [make(spec, `train:${projectId}`, [batch.number, 1])];
  }
  const { commit } = tip;
  const runs = project.commitChecks?.[commit] ?? {};
  return missingChecks(project, policy, batch)
    .filter(({ name, attempt }) => !isHeld || (runs[name]?.state === "running" && runs[name].attempt === attempt))
    .map(({ name, attempt }) => {
      const spec: ProjectSpec = { kind: "check-commit", projectId, commit, check: name, attempt };
      return make(spec, `check:${projectId}:${name}:${commit}`, [`${name}@${commit}`, attempt]);
    });
}

/** Does the project still want to know how a check ends on one of its commits? */
export function isCheckWanted(
  project: ProjectState,
  { commit }: Extract<ProjectSpec, { kind: "check-commit" }>,
): boolean {
  const batch = project.train?.batch ?? null;
  return batch !== null && tipOf(batch)?.commit === commit;
}

function make(spec: ProjectSpec, lane: string, [occurrence, attempt]: readonly [string | number, number]): Intent {
  const stream = projectStream(spec.projectId);
  return { id: intentId(stream, spec.kind, occurrence, attempt), stream, lane, spec };
}
