import { type Emitted, onChange, onProject } from "../event.ts";
import { shortCommit } from "../hash.ts";
import { CHECK_WORDS, findBlockers } from "../merge/blockers.ts";
import type { ProjectState } from "../project/state.ts";
import { isPaused, type World } from "../world.ts";
import { judgeBatch, mergedCars, namesOf, tipOf, whyVoid } from "./batch.ts";
import type { BatchEnd } from "./events.ts";
import { carBlockers, isBeingTried, trainQueue } from "./queue.ts";
import type { Car, TrainBatch } from "./state.ts";

/** What follows for merge trains: batches form, and end merged, red, or void. */
export function settleTrains(world: World): readonly Emitted[] {
  return [...world.projects()].flatMap((project) => {
    if (project.removed || project.policy === null) return [];
    const batch = project.train?.batch ?? null;
    return batch === null ? form(world, project) : settleBatch(world, project, batch);
  });
}

function settleBatch(world: World, project: ProjectState, batch: TrainBatch): readonly Emitted[] {
  const end = (outcome: BatchEnd, reason: string): readonly Emitted[] =>
    onProject(project.id, { type: "train.ended", number: batch.number, outcome, reason });
  const reason = whyVoid(world, project, batch);
  if (reason !== null) return end("dissolved", reason);
  if (mergedCars(world, batch).length === batch.cars.length) return end("merged", namesOf(world, batch));
  if (project.policy === null) return [];
  const verdict = judgeBatch(project, project.policy, batch);
  const tip = tipOf(batch);
  if (verdict.kind !== "red" || tip === null) return [];
  const { name, state, code, log, fingerprint } = verdict.run;
  const why = `check \`${name}\` ${state === "passed" ? "" : CHECK_WORDS[state]} on ${shortCommit(tip.commit)}`;
  if (batch.cars.length > 1) return end("split", why);
  const { head, commit, since } = tip;
  if (state !== "failed" && state !== "timed-out") {
    return [...onChange(tip.key, { type: "merge.refused", reason: why, head }), ...end("refused", why)];
  }
  const facts = { head, base: batch.base, commit, since, check: name, state, code, log, fingerprint };
  return [...onChange(tip.key, { type: "merge.rejected", ...facts }), ...end("rejected", why)];
}

function form(world: World, project: ProjectState): readonly Emitted[] {
  const { baseHead, train } = project;
  if (baseHead === null || (train?.pausedBy ?? null) !== null || isPaused(world, project.id)) return [];
  const cars = nextCars(world, project);
  if (cars.length === 0) return [];
  return onProject(project.id, { type: "train.formed", number: (train?.batches ?? 0) + 1, base: baseHead, cars });
}

/** The pull requests of the next batch. One that is being tried on a moved base keeps its place: it is awaited. */
function nextCars(world: World, project: ProjectState): readonly Car[] {
  const { policy, baseHead, train } = project;
  if (policy?.train === undefined) return [];
  const ready: Car[] = [];
  const queue = trainQueue(world, project);
  const suspects = queue
    .filter((change) => train?.suspects.includes(change.key) && carBlockers(change, policy, baseHead).length === 0)
    .map(({ key }) => key);
  const limit = suspects.length === 0 ? policy.train.batch : Math.ceil(suspects.length / 2);
  for (const change of queue) {
    if (ready.length === limit) break;
    if (suspects.length > 0 && !suspects.includes(change.key)) continue;
    const blockers = findBlockers(change, policy, baseHead);
    if (blockers.length > 0 && blockers.every(isBeingTried)) return [];
    const { key, head, mergeRequest } = change;
    if (blockers.length === 0 && mergeRequest !== null) ready.push({ key, head, strategy: mergeRequest.strategy });
  }
  return ready;
}
