import type { ChangeState } from "../change/state.ts";
import { type Blocker, findBlockers } from "../merge/blockers.ts";
import type { ProjectPolicy } from "../policy.ts";
import type { ProjectState } from "../project/state.ts";
import type { World } from "../world.ts";

/** Does this change go through the merge train? Remote forges merge by their own rules. */
export function goesByTrain(change: ChangeState, policy: ProjectPolicy): boolean {
  return policy.train !== undefined && change.forge === undefined;
}

/** Pull requests with a requested merge, in the train's order: overrides first, then as a person moved them. */
export function trainQueue(world: World, project: ProjectState): readonly ChangeState[] {
  const { policy, train } = project;
  if (policy?.train === undefined) return [];
  const waiting: ChangeState[] = [];
  for (const change of world.activeChanges(project.id)) {
    const isRequested = change.phase === "open" && change.mergeRequest?.head === change.head;
    if (isRequested && goesByTrain(change, policy)) waiting.push(change);
  }
  const order = train?.order ?? [];
  const rank = ({ key }: ChangeState): number => (order.includes(key) ? order.indexOf(key) : order.length);
  const isPlain = ({ mergeRequest }: ChangeState): number => (mergeRequest?.override === undefined ? 1 : 0);
  const at = ({ mergeRequest }: ChangeState): number => mergeRequest?.at ?? 0;
  return waiting.sort((a, b) => isPlain(a) - isPlain(b) || rank(a) - rank(b) || at(a) - at(b) || a.number - b.number);
}

/** The rules' objections to merging a car; being retried on a moved base is not one. */
export function carBlockers(change: ChangeState, policy: ProjectPolicy, baseHead: string | null): readonly Blocker[] {
  return findBlockers(change, policy, baseHead).filter((blocker) => !isBeingTried(blocker));
}

/** Is it only unknown for the moment how this change and the newest base go together? */
export function isBeingTried(blocker: Blocker): boolean {
  return blocker.kind === "merge-untried" || (blocker.kind === "unmeasured" && blocker.isPending);
}
