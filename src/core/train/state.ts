import type { CheckRun } from "../change/state.ts";
import type { MergeStrategy } from "../merge/strategy.ts";

/** A pull request in a batch. */
export interface Car {
  readonly key: string;
  readonly head: string;
  readonly strategy: MergeStrategy;
}

/** A car whose merge exists as a commit that no branch has yet. */
export interface BuiltCar extends Car {
  readonly commit: string;
  /** The merge has the files of the head, so the checks of the head count for it. */
  readonly isHeadTree: boolean;
  /** Numbers of the pull requests merged since its branch left the base, oldest first. */
  readonly since: readonly number[];
}

/** What the train is trying to merge: one pull request, or several that are checked together. */
export interface TrainBatch {
  readonly number: number;
  /** The commit of the base that it is built on. */
  readonly base: string;
  readonly cars: readonly Car[];
  /** In order, each on top of the one before; null: not built yet. */
  readonly built: readonly BuiltCar[] | null;
  readonly at: number;
}

/** The merge train of one project. Which pull requests wait for it follows from their requested merges. */
export interface TrainState {
  readonly batch: TrainBatch | null;
  /** How many batches there were; gives each its number. */
  readonly batches: number;
  /** Pull requests of a red batch, among which `ao` searches for the one that breaks it. */
  readonly suspects: readonly string[];
  /** Keys in the order that a person set; the others follow in the order of their requests. */
  readonly order: readonly string[];
  /** Who paused it; null: running. */
  readonly pausedBy: string | null;
  /** Numbers of the batches whose commits a ref keeps; absent: none. */
  readonly kept?: readonly number[];
  /** How many batches in a row ended because somebody moved the base; absent: the last one came to a result. */
  readonly overtaken?: number;
}

export const NEW_TRAIN: TrainState = { batch: null, batches: 0, suspects: [], order: [], pausedBy: null };

/** Checks that ran on commits of the project itself rather than on a pull request's head, by commit and name. */
export type CommitChecks = Readonly<Record<string, Readonly<Record<string, CheckRun>>>>;

/** How many commits' checks are remembered. */
export const MAX_CHECKED_COMMITS = 30;
