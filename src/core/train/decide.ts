import { nameOfChange } from "../change/key.ts";
import { type Emitted, onChange, onProject } from "../event.ts";
import { shortCommit } from "../hash.ts";
import { accept, type Decision, reject, type TrainCommand } from "../input.ts";
import { describeFailure, type IntentOutcome, type ProjectSpec } from "../intent.ts";
import type { ProjectState } from "../project/state.ts";
import { requireProject } from "../require.ts";
import type { World } from "../world.ts";
import type { CommitCheckEvent } from "./events.ts";
import { trainQueue } from "./queue.ts";
import type { BuiltCar, TrainBatch } from "./state.ts";

/** Commands about a project's merge train. */
export function decideTrainCommand(world: World, command: TrainCommand): Decision {
  return requireProject(world, command.projectId, (project) => {
    if (project.policy?.train === undefined) {
      const hint = "Set `train.enabled: true` for it; only projects on the local forge have a train.";
      return reject("conflict", `Project "${project.id}" has no merge train.`, hint);
    }
    if (command.type === "train.move") return decideMove(world, project, command);
    const isPaused = (project.train?.pausedBy ?? null) !== null;
    if (isPaused === (command.type === "train.pause")) return accept([]);
    const type = command.type === "train.pause" ? "train.paused" : "train.resumed";
    return accept(onProject(project.id, { type, by: command.by }));
  });
}

function decideMove(
  world: World,
  project: ProjectState,
  { number, to, by }: Extract<TrainCommand, { type: "train.move" }>,
): Decision {
  const queue = trainQueue(world, project);
  const keys = queue.map(({ key }) => key);
  const key = queue.find((change) => change.number === number)?.key;
  if (key === undefined) {
    const hint =
      keys.length === 0 ? "Nothing waits there." : `In it: ${keys.map((one) => nameOfChange(world, one)).join(", ")}.`;
    return reject("not-found", `#${number} is not in the merge train of "${project.id}".`, hint);
  }
  const order = keys.filter((one) => one !== key).toSpliced(to - 1, 0, key);
  return accept(onProject(project.id, { type: "train.reordered", order, by }));
}

/** What the start of an effect means for a project. */
export function decideProjectStarting(spec: ProjectSpec): readonly Emitted[] {
  if (spec.kind !== "check-commit") return [];
  const { projectId, commit, check: name, attempt } = spec;
  return onProject(projectId, { type: "commit.check-started", commit, name, attempt });
}

/** What the outcome of an effect means for a project and its train. */
export function decideProjectOutcome(world: World, spec: ProjectSpec, outcome: IntentOutcome): readonly Emitted[] {
  switch (spec.kind) {
    case "check-commit":
      return [
        ...onProject(spec.projectId, checkEnded(spec, outcome)),
        ...(outcome.kind === "train-lost" ? endLost(world.project(spec.projectId), spec.commit) : []),
      ];
    case "release-train":
      return onProject(spec.projectId, { type: "train.released", number: spec.batch });
    case "revert-merge": {
      const { projectId, key } = spec;
      if (outcome.kind !== "merge-reverted") {
        return onProject(projectId, { type: "main.revert-failed", key, reason: describeFailure(outcome) });
      }
      const { commit } = outcome;
      return onProject(projectId, { type: "main.reverted", key, commit }, { type: "project.base-moved", head: commit });
    }
    case "build-train": {
      const project = world.project(spec.projectId);
      const batch = project?.train?.batch ?? null;
      if (project === undefined || batch?.number !== spec.batch) return [];
      return buildEnded(world, project, { batch, outcome });
    }
  }
}

function checkEnded(
  { commit, check: name, attempt }: Extract<ProjectSpec, { kind: "check-commit" }>,
  outcome: IntentOutcome,
): CommitCheckEvent {
  const id = { type: "commit.check-finished", commit, name, attempt } as const;
  if (outcome.kind === "train-lost") {
    return { ...id, state: "cancelled", code: null, log: null, fingerprint: "", tookMs: null };
  }
  if (outcome.kind !== "check-ended") {
    const log = { inline: describeFailure(outcome) };
    return { ...id, state: "unknown", code: null, log, fingerprint: "", tookMs: null };
  }
  const { kind: _, ...facts } = outcome;
  return { ...id, ...facts };
}

/** A commit of the batch is gone, so the batch is built again. */
export function endLost(project: ProjectState | undefined, commit: string): readonly Emitted[] {
  const batch = project?.train?.batch ?? null;
  if (project === undefined || batch?.built?.some((car) => car.commit === commit) !== true) return [];
  const reason = `${shortCommit(commit)} is gone from the repository: building it again`;
  return onProject(project.id, { type: "train.ended", number: batch.number, outcome: "dissolved", reason });
}

interface BuildEnd {
  readonly batch: TrainBatch;
  readonly outcome: IntentOutcome;
}

// If a batch does not fit together, its first fitting ones are tried; the next conflicts once they are merged.
function buildEnded(world: World, project: ProjectState, { batch, outcome }: BuildEnd): readonly Emitted[] {
  const { number, cars } = batch;
  const built = outcome.kind === "train-built" ? outcome.cars : [];
  if (outcome.kind === "train-built" && built.length > 0) {
    const facts = built.flatMap(({ commit, isHeadTree, since }, index): readonly BuiltCar[] => {
      const car = cars[index];
      return car === undefined ? [] : [{ ...car, commit, isHeadTree, since: numbersOf(world, project.id, since) }];
    });
    const isKept = outcome.isKept === true ? { isKept: true as const } : {};
    return onProject(project.id, { type: "train.built", number, cars: facts, ...isKept });
  }
  const reason =
    outcome.kind === "train-built"
      ? `it conflicts with ${project.defaultBranch} in ${outcome.conflicts.slice(0, 5).join(", ")}`
      : describeFailure(outcome);
  const [first, second] = cars;
  if (second !== undefined) return onProject(project.id, { type: "train.ended", number, outcome: "split", reason });
  return [
    ...(first === undefined ? [] : onChange(first.key, { type: "merge.refused", reason, head: first.head })),
    ...onProject(project.id, { type: "train.ended", number, outcome: "refused", reason }),
  ];
}

/** The pull requests that were merged as these commits, in commit order. */
function numbersOf(world: World, projectId: string, commits: readonly string[]): readonly number[] {
  const known = new Map<string, number>();
  for (const { merged, number } of world.changesIn(projectId)) if (merged !== null) known.set(merged.commit, number);
  return commits.flatMap((commit) => known.get(commit) ?? []);
}
