import { nameOfChange } from "../change/key.ts";
import type { ChangeState } from "../change/state.ts";
import { shortCommit } from "../hash.ts";
import type { ProjectState } from "../project/state.ts";
import type { World } from "../world.ts";
import { judgeBatch, mergedCars, namesOf, tipOf } from "./batch.ts";
import { goesByTrain } from "./queue.ts";
import type { TrainBatch } from "./state.ts";

/** What a batch is doing now. */
export type BatchStage = "building" | "checking" | "waiting" | "merging";

/** The progress of a batch. */
export function stageOf(world: World, project: ProjectState, batch: TrainBatch): BatchStage {
  if (tipOf(batch) === null || project.policy === null) return "building";
  if (judgeBatch(project, project.policy, batch).kind !== "green") return "checking";
  return waitOf(world, batch) === null ? "merging" : "waiting";
}

function waitOf(world: World, batch: TrainBatch): string | null {
  const next = batch.cars[mergedCars(world, batch).length];
  return (next === undefined ? undefined : world.change(next.key))?.mergeRequest?.reason ?? null;
}

/**
 * A pull request's place in the merge train: `merge train: checking a91f04c = main 8c1f02a + #228`; null: not in it.
 */
export function describePlace(world: World, change: ChangeState): string | null {
  const project = world.project(change.projectId);
  if (project === undefined) return null;
  const { policy } = project;
  if (policy === null || change.mergeRequest === null || !goesByTrain(change, policy)) return null;
  const { batch, pausedBy } = project.train ?? { batch: null, pausedBy: null };
  if (pausedBy !== null) return `merge train: paused by ${pausedBy}`;
  if (batch === null) return "merge train: next";
  const isAboard = batch.cars.some(({ key }) => key === change.key);
  return `merge train: ${isAboard ? describeBatch(world, project, batch) : `after ${namesOf(world, batch)}`}`;
}

/** `checking a91f04c = main 8c1f02a + #228`. */
export function describeBatch(world: World, project: ProjectState, batch: TrainBatch): string {
  const tip = tipOf(batch);
  const cars = batch.cars.map((car) => ` + ${nameOfChange(world, car.key)}`).join("");
  const result = tip === null ? "" : `${shortCommit(tip.commit)} = `;
  return `${stageOf(world, project, batch)} ${result}${project.defaultBranch} ${shortCommit(batch.base)}${cars}`;
}
