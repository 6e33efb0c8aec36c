import { detectChangeProblems } from "../change/problems.ts";
import type { ChangeState } from "../change/state.ts";
import { ownerOfChange } from "../reaction/problem-owner.ts";
import { nextDeadline } from "../reaction/settle-problems.ts";
import { baseHeadOf } from "../stack/base.ts";
import type { World } from "../world.ts";

/** When rules have to look at a pull request again although nothing happens; null: never. */
export function nextDeadlineOfChange(world: World, change: ChangeState, now: number): number | null {
  const project = world.project(change.projectId);
  const policy = project?.policy ?? null;
  if (policy === null || change.phase !== "open") return null;
  const detected = detectChangeProblems(change, policy, baseHeadOf(change, project));
  const deadline = nextDeadline(ownerOfChange(world, change), detected, { policy, now });
  const held = change.mergeRequest?.notBefore ?? 0;
  return held > now ? Math.min(held, deadline ?? held) : deadline;
}
