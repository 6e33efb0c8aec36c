import { comparisonsWanted } from "../cause/compare.ts";
import { mainWanted } from "../guard/react.ts";
import type { ProjectSpec, Wanted } from "../intent.ts";
import { tipOf } from "../train/batch.ts";
import { trainWanted } from "../train/react.ts";
import type { World } from "../world.ts";
import type { ProjectState } from "./state.ts";

/** What a project wants done now: for its merge train, its main guard, and red checks that are compared with the base. */
export function reactProject(world: World, project: ProjectState): Wanted {
  if (project.removed) return { intents: [], wakeAt: null };
  const intents = [...trainWanted(world, project), ...mainWanted(world, project), ...comparisonsWanted(world, project)];
  // Several may need the same check of a commit.
  return { intents: [...new Map(intents.map((intent) => [intent.id, intent])).values()], wakeAt: null };
}

/** Does the project still need the result of a check on one of its commits? */
export function isCheckWanted(
  { train, main, baseHead }: ProjectState,
  { commit, check }: Extract<ProjectSpec, { kind: "check-commit" }>,
): boolean {
  const batch = train?.batch ?? null;
  const broken = main?.broken ?? null;
  const isSearching = broken !== null && broken.culprit === null && broken.check === check;
  return (
    isSearching ||
    commit === baseHead ||
    main?.watched === commit ||
    (batch !== null && tipOf(batch)?.commit === commit)
  );
}
