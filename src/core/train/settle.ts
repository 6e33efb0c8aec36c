import { nameOfChange } from "../change/key.ts";
import { type Emitted, onChange, onProject } from "../event.ts";
import { shortCommit } from "../hash.ts";
import { CHECK_WORDS, findBlockers } from "../merge/blockers.ts";
import type { ProjectState } from "../project/state.ts";
import { isPaused, type World } from "../world.ts";
import { isOvertaken, judgeBatch, mergedCars, namesOf, tipOf, whyVoid } from "./batch.ts";
import type { BatchEnd } from "./events.ts";
import { carBlockers, trainQueue } from "./queue.ts";
import type { Car, TrainBatch } from "./state.ts";
import { TURN, turnOf } from "./turn.ts";

/** What follows for merge trains: batches form, and end merged, red, or void. */
export function settleTrains(world: World, now: number): readonly Emitted[] {
  return [...world.projects()].flatMap((project) => {
    if (project.removed || project.policy === null) return [];
    const batch = project.train?.batch ?? null;
    return batch === null ? form(world, project, now) : settleBatch(world, project, { batch, now });
  });
}

function settleBatch(
  world: World,
  project: ProjectState,
  { batch, now }: { readonly batch: TrainBatch; readonly now: number },
): readonly Emitted[] {
  const end = (outcome: BatchEnd, reason: string): readonly Emitted[] =>
    onProject(project.id, { type: "train.ended", number: batch.number, outcome, reason });
  const reason = whyVoid(world, project, batch);
  if (reason !== null) {
    const why = isOvertaken(world, project, batch) ? { isOvertaken: true as const } : {};
    return onProject(project.id, { type: "train.ended", number: batch.number, outcome: "dissolved", reason, ...why });
  }
  if (mergedCars(world, batch).length === batch.cars.length) return end("merged", namesOf(world, batch));
  if (project.policy === null) return [];
  const passing = whyPassed(world, project, { batch, now });
  if (passing !== null) return end("dissolved", passing);
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

// A batch that waits must not keep the others waiting; what it built and checked is found again when its turn comes.
function whyPassed(
  world: World,
  project: ProjectState,
  { batch, now }: { readonly batch: TrainBatch; readonly now: number },
): string | null {
  const next = batch.cars[mergedCars(world, batch).length];
  const held = next === undefined ? undefined : world.change(next.key);
  if (held?.mergeRequest == null || held.mergeRequest.isUnderWay === true || isPaused(world, project.id)) return null;
  const [first] = nextCars(world, project, now);
  const other = first === undefined || first.key === held.key ? undefined : world.change(first.key);
  if (other === undefined) return null;
  const [own, turn] = [turnOf(held, now), turnOf(other, now)];
  const name = nameOfChange(world, other.key);
  const { reason, isPlanned = false } = held.mergeRequest;
  if (turn < own) {
    if (turn === TURN.override) return `${name} goes first: it overrides the rules`;
    return `${name} passes ${nameOfChange(world, held.key)}: ${reason ?? "it waits"}`;
  }
  // Waiting for the same time, they keep the order that people gave them.
  return turn === own && turn === TURN.waiting && isPlanned ? `${name} goes first` : null;
}

function form(world: World, project: ProjectState, now: number): readonly Emitted[] {
  const { baseHead, train } = project;
  if (baseHead === null || isPaused(world, project.id)) return [];
  const cars = nextCars(world, project, now);
  if (cars.length === 0) return [];
  return onProject(project.id, { type: "train.formed", number: (train?.batches ?? 0) + 1, base: baseHead, cars });
}

/** The pull requests of the next batch, all with the same turn. One that is tried on a moved base is awaited. */
function nextCars(world: World, project: ProjectState, now: number): readonly Car[] {
  const { policy, baseHead, train } = project;
  if (policy?.train === undefined || (train?.pausedBy ?? null) !== null) return [];
  const queue = trainQueue(world, project).filter((change) => carBlockers(change, policy, baseHead).length === 0);
  const turn = Math.min(...queue.map((change) => turnOf(change, now)));
  const able = queue.filter((change) => turnOf(change, now) === turn);
  const suspects = able.filter(({ key }) => train?.suspects.includes(key));
  const limit = suspects.length === 0 ? policy.train.batch : Math.ceil(suspects.length / 2);
  const ready: Car[] = [];
  for (const change of suspects.length === 0 ? able : suspects) {
    if (ready.length === limit) break;
    const { key, head, mergeRequest } = change;
    if (findBlockers(change, policy, baseHead).length > 0) return [];
    if (mergeRequest !== null) ready.push({ key, head, strategy: mergeRequest.strategy });
  }
  return ready;
}
