import { nameOfChange } from "../change/key.ts";
import type { ChangeState, CheckRun } from "../change/state.ts";
import { requiredChecks } from "../merge/blockers.ts";
import type { ProjectPolicy } from "../policy.ts";
import { nextAttempt } from "../project/commit-check.ts";
import type { ProjectState } from "../project/state.ts";
import type { World } from "../world.ts";
import { carBlockers } from "./queue.ts";
import type { BuiltCar, TrainBatch } from "./state.ts";

/** A red result of a single pull request is re-checked before anyone is notified. */
const MAX_ATTEMPTS = 2;

/** How often its check may end without a result. */
const MAX_CANCELLED = 20;

/** The state of a batch's tree. */
export type BatchVerdict =
  | { readonly kind: "pending" }
  | { readonly kind: "green" }
  | { readonly kind: "red"; readonly run: CheckRun };

/** The commit that a batch wants checked: the last one, with all of its pull requests. */
export function tipOf({ built }: TrainBatch): BuiltCar | null {
  return built?.at(-1) ?? null;
}

/** What the required checks say about exactly the tree that the batch would make the base. */
export function judgeBatch(project: ProjectState, policy: ProjectPolicy, batch: TrainBatch): BatchVerdict {
  const tip = tipOf(batch);
  if (tip === null) return { kind: "pending" };
  if (tip.isHeadTree) return { kind: "green" };
  const runs = requiredChecks(policy).map((name) => project.commitChecks?.[tip.commit]?.[name]);
  const red = runs.find((run) => run !== undefined && isRed(run, batch));
  if (red !== undefined) return { kind: "red", run: red };
  return runs.every((run) => run?.state === "passed") ? { kind: "green" } : { kind: "pending" };
}

/** The check runs that the batch still needs, by name with the attempt. */
export function missingChecks(
  project: ProjectState,
  policy: ProjectPolicy,
  batch: TrainBatch,
): readonly { readonly name: string; readonly attempt: number }[] {
  const tip = tipOf(batch);
  if (tip === null || judgeBatch(project, policy, batch).kind !== "pending") return [];
  return requiredChecks(policy).flatMap((name) => {
    if (project.commitChecks?.[tip.commit]?.[name]?.state === "passed") return [];
    return [{ name, attempt: nextAttempt(project, tip.commit, name) }];
  });
}

function isRed({ state, attempt, voided = 0 }: CheckRun, { cars }: TrainBatch): boolean {
  if (state === "passed" || state === "running" || state === "queued") return false;
  // Others passed it, or its commit was gone: that says nothing about it.
  if (state === "cancelled") return attempt >= MAX_CANCELLED;
  return cars.length > 1 || attempt - voided >= MAX_ATTEMPTS;
}

/** The next merge of a green batch: exactly this commit, onto exactly this base. */
export interface NextMerge {
  readonly key: string;
  readonly commit: string;
  readonly base: string;
}

/** The merge that the train allows now; null: none. */
export function nextMerge(world: World, project: ProjectState, policy: ProjectPolicy): NextMerge | null {
  const { batch, pausedBy } = project.train ?? { batch: null, pausedBy: null };
  if (batch?.built == null || pausedBy !== null || judgeBatch(project, policy, batch).kind !== "green") return null;
  const car = batch.built[mergedCars(world, batch).length];
  const base = expectedBase(world, batch);
  return car === undefined || base !== project.baseHead ? null : { key: car.key, commit: car.commit, base };
}

/** The pull requests of a batch that are already merged: always the first ones. */
export function mergedCars(world: World, { cars }: TrainBatch): readonly ChangeState[] {
  const changes = cars.map(({ key }) => world.change(key));
  const next = changes.findIndex((change) => change?.phase !== "merged");
  return changes.slice(0, next < 0 ? undefined : next).filter((change) => change !== undefined);
}

/** Did somebody move the base, so that the rest of a batch is not what was checked? */
export function isOvertaken(world: World, { baseHead }: ProjectState, batch: TrainBatch): boolean {
  return mergedCars(world, batch).length < batch.cars.length && baseHead !== expectedBase(world, batch);
}

/** Where the base must be for the rest of a batch to be what was checked. */
function expectedBase(world: World, batch: TrainBatch): string {
  return mergedCars(world, batch).at(-1)?.merged?.commit ?? batch.base;
}

/** `#12, #14`. */
export function namesOf(world: World, { cars }: Pick<TrainBatch, "cars">): string {
  return cars.map(({ key }) => nameOfChange(world, key)).join(", ");
}

/** Why a batch should no longer be merged; null: it still should. */
export function whyVoid(world: World, project: ProjectState, batch: TrainBatch): string | null {
  const { policy, baseHead } = project;
  if (policy?.train === undefined) return "the train is off";
  const rest = batch.cars.slice(mergedCars(world, batch).length);
  if (isOvertaken(world, project, batch)) return `${project.defaultBranch} moved`;
  for (const car of rest) {
    const change = world.change(car.key);
    const name = nameOfChange(world, car.key);
    if (change === undefined || change.phase !== "open") return `${name} is closed`;
    if (change.head !== car.head) return `${name} has a new commit`;
    const { mergeRequest: request } = change;
    if (request?.head !== car.head || request.strategy !== car.strategy)
      return `the requested merge of ${name} changed`;
    if (carBlockers(change, policy, baseHead).length > 0) return `${name} is blocked`;
  }
  return null;
}
