import type { ChangeState } from "../core/change/state.ts";
import { healthOfMain } from "../core/guard/status.ts";
import { blockersOf, describeBlockerNow, requiredChecks } from "../core/merge/blockers.ts";
import type { ProjectState } from "../core/project/state.ts";
import { tipOf } from "../core/train/batch.ts";
import { trainQueue } from "../core/train/queue.ts";
import type { TrainBatch } from "../core/train/state.ts";
import { describeBatch, stageOf } from "../core/train/status.ts";
import type { World } from "../core/world.ts";
import type { TrainView } from "../protocol/views/train.ts";
import { toTime } from "./time.ts";

/** The merge trains of one project, or of all. */
export function listTrains(world: World, projectId: string | null): readonly TrainView[] {
  return [...world.projects()]
    .filter(({ id, removed }) => !removed && (projectId === null || id === projectId))
    .map((project) => toTrainView(world, project));
}

/** The merge train of a project, for people. */
export function toTrainView(world: World, project: ProjectState): TrainView {
  const { id, policy, train, baseHead, defaultBranch: base } = project;
  const batch = train?.batch ?? null;
  const aboard = new Set(batch?.cars.map(({ key }) => key));
  return {
    projectId: id,
    base,
    baseHead,
    isOn: policy?.train !== undefined,
    main: healthOfMain(world, project),
    pausedBy: train?.pausedBy ?? null,
    batch: batch === null ? null : toBatchView(world, project, batch),
    waiting: trainQueue(world, project)
      .filter(({ key }) => !aboard.has(key))
      .map((change) => ({
        ...toCar(change),
        waitsFor: [
          ...(blockersOf(world, change) ?? []).map((blocker) => describeBlockerNow(world, change, blocker)),
          ...(change.mergeRequest?.reason == null ? [] : [change.mergeRequest.reason]),
        ],
      })),
  };
}

function toBatchView(world: World, project: ProjectState, batch: TrainBatch): NonNullable<TrainView["batch"]> {
  const tip = tipOf(batch);
  const stage = stageOf(world, project, batch);
  const names = tip === null || tip.isHeadTree || project.policy === null ? [] : requiredChecks(project.policy);
  const runs = project.commitChecks?.[tip?.commit ?? ""] ?? {};
  return {
    stage,
    text: describeBatch(world, project, batch),
    commit: tip?.commit ?? null,
    base: batch.base,
    cars: batch.cars.flatMap(({ key }) => {
      const change = world.change(key);
      return change === undefined ? [] : [toCar(change)];
    }),
    checks: names.map((name) => ({ name, state: runs[name]?.state ?? "queued" })),
    since: toTime(batch.at),
  };
}

function toCar({ number, title, sessionId, head }: ChangeState): Omit<TrainView["waiting"][number], "waitsFor"> {
  return { number, title, sessionId, head };
}
