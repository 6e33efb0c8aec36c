import type { CheckRun } from "../change/state.ts";
import type { ProjectState } from "../project/state.ts";
import type { CommitCheckEvent, TrainEvent } from "./events.ts";
import { type CommitChecks, MAX_CHECKED_COMMITS, NEW_TRAIN, type TrainState } from "./state.ts";

/** Applies an event of the train to its project. An event of a batch that is over changes nothing. */
export function evolveTrain(state: ProjectState, event: TrainEvent, at: number): ProjectState {
  const before = state.train ?? NEW_TRAIN;
  const train = applyToTrain(before, event, at);
  return train === before ? state : { ...state, train };
}

function applyToTrain(train: TrainState, event: TrainEvent, at: number): TrainState {
  switch (event.type) {
    case "train.formed": {
      const { number, base, cars } = event;
      return { ...train, batches: Math.max(train.batches, number), batch: { number, base, cars, built: null, at } };
    }
    case "train.built":
      return built(train, event);
    case "train.released":
      return { ...train, kept: (train.kept ?? []).filter((number) => number > event.number) };
    case "train.ended":
      return train.batch?.number === event.number ? ended(train, event) : train;
    case "train.paused":
      return { ...train, pausedBy: event.by };
    case "train.resumed":
      return { ...train, pausedBy: null };
    case "train.reordered":
      return { ...train, order: event.order };
  }
}

function built(train: TrainState, event: Extract<TrainEvent, { type: "train.built" }>): TrainState {
  if (train.batch?.number !== event.number) return train;
  const kept = event.isKept === true ? { kept: [...(train.kept ?? []), event.number] } : {};
  return { ...train, ...kept, batch: { ...train.batch, cars: event.cars, built: event.cars } };
}

// The search ends with the one that breaks the batch; merged ones are no longer suspects.
function ended(before: TrainState, event: Extract<TrainEvent, { type: "train.ended" }>): TrainState {
  const { outcome } = event;
  const train = outcome === "dissolved" ? before : withoutRaces(before);
  const keys = (train.batch?.cars ?? []).map(({ key }) => key);
  const others = train.suspects.filter((key) => !keys.includes(key));
  const suspects = { merged: others, split: keys, rejected: [], refused: [], dissolved: train.suspects }[outcome];
  const order = outcome === "merged" ? train.order.filter((key) => !keys.includes(key)) : train.order;
  const races = event.isOvertaken === true ? { overtaken: (train.overtaken ?? 0) + 1 } : {};
  return { ...train, batch: null, suspects, order, ...races };
}

function withoutRaces({ overtaken: _, ...train }: TrainState): TrainState {
  return train;
}

/** Applies the result of a check on a commit of the project; keeps only the newest of very many commits. */
export function evolveCommitCheck(state: ProjectState, event: CommitCheckEvent, at: number): ProjectState {
  const { commit, name, attempt } = event;
  const { [commit]: own = {}, ...others } = state.commitChecks ?? {};
  const newest = own[name]?.attempt ?? 0;
  if (newest > attempt || (newest === attempt && event.type === "commit.check-requested")) return state;
  const voided = (own[name]?.voided ?? 0) + (own[name]?.state === "cancelled" && newest < attempt ? 1 : 0);
  const voids = voided === 0 ? {} : { voided };
  const run: CheckRun = { name, head: commit, attempt, ...resultOf(event), ...voids, at };
  const checks: CommitChecks = { ...others, [commit]: { ...own, [name]: run } };
  return { ...state, commitChecks: Object.fromEntries(Object.entries(checks).slice(-MAX_CHECKED_COMMITS)) };
}

type Result = Pick<CheckRun, "ref" | "state" | "code" | "log" | "fingerprint" | "tookMs" | "tests">;

function resultOf(event: CommitCheckEvent): Result {
  if (event.type === "commit.check-finished") {
    const { state, code, log, fingerprint, tookMs, tests, ref } = event;
    const details = { ...(ref === undefined ? {} : { ref }), ...(tests === undefined ? {} : { tests }) };
    return { state, code, log, fingerprint, tookMs, ...details };
  }
  const state = event.type === "commit.check-requested" ? "queued" : "running";
  return { state, code: null, log: null, fingerprint: "", tookMs: null };
}
