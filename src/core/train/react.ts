import type { Intent, ProjectSpec } from "../intent.ts";
import { checkIntent, projectIntent } from "../project/intent.ts";
import type { ProjectState } from "../project/state.ts";
import { isPaused, type World } from "../world.ts";
import { missingChecks, tipOf } from "./batch.ts";

/** What a project's merge train wants done now: a batch is built, then checked. Its pull requests do the merging. */
export function trainWanted(world: World, project: ProjectState): readonly Intent[] {
  return [...batchWanted(world, project), ...releasesWanted(project)];
}

// What was built is kept for the batch alone.
function releasesWanted({ train, id: projectId }: ProjectState): readonly Intent[] {
  const over = (train?.kept ?? []).filter((number) => number !== train?.batch?.number);
  return over.map((batch) =>
    projectIntent({ kind: "release-train", projectId, batch }, `train:${projectId}`, [batch, 1]),
  );
}

function batchWanted(world: World, project: ProjectState): readonly Intent[] {
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
    return [projectIntent(spec, `train:${projectId}`, [batch.number, 1])];
  }
  const { commit } = tip;
  const runs = project.commitChecks?.[commit] ?? {};
  return missingChecks(project, policy, batch)
    .filter(({ name, attempt }) => !isHeld || (runs[name]?.state === "running" && runs[name].attempt === attempt))
    .map(({ name, attempt }) => checkIntent(projectId, { commit, name, attempt }));
}
