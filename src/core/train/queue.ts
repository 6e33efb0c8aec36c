import type { ChangeState } from "../change/state.ts";
import { type Blocker, findBlockers } from "../merge/blockers.ts";
import type { ProjectPolicy } from "../policy.ts";
import type { ProjectState } from "../project/state.ts";
import type { World } from "../world.ts";

/** Does this change go through the merge train? Forges elsewhere merge by their own rules. */
export function goesByTrain(change: ChangeState, policy: ProjectPolicy): boolean {
  return policy.train !== undefined && change.forge === undefined;
}

/** Pull requests whose merge is requested, in the order in which the train takes them. */
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
  const at = ({ mergeRequest }: ChangeState): number => mergeRequest?.at ?? 0;
  return waiting.sort((a, b) => rank(a) - rank(b) || at(a) - at(b) || a.number - b.number);
}

/** What the rules have against the merge of a car; that it is tried again on a base that moved is not against it. */
export function carBlockers(change: ChangeState, policy: ProjectPolicy, baseHead: string | null): readonly Blocker[] {
  return findBlockers(change, policy, baseHead).filter((blocker) => !isBeingTried(blocker));
}

/** Is it only not known yet, and known in a moment, how this change and the newest base go together? */
export function isBeingTried(blocker: Blocker): boolean {
  return blocker.kind === "merge-untried" || (blocker.kind === "unmeasured" && blocker.isPending);
}
