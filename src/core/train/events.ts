import type { CheckRun, CheckState } from "../change/state.ts";
import type { BuiltCar, Car } from "./state.ts";

/** How a batch ended. split: red with several pull requests in it, so fewer are tried next. */
export type BatchEnd = "merged" | "split" | "rejected" | "refused" | "dissolved";

/** What can happen to the merge train of a project. docs/lifecycle.md has a row for each. */
export type TrainEvent =
  | { readonly type: "train.formed"; readonly number: number; readonly base: string; readonly cars: readonly Car[] }
  | {
      readonly type: "train.built";
      readonly number: number;
      readonly cars: readonly BuiltCar[];
      /** A ref keeps them; absent: none does, as in older logs. */
      readonly isKept?: true;
    }
  | { readonly type: "train.released"; readonly number: number }
  | {
      readonly type: "train.ended";
      readonly number: number;
      readonly outcome: BatchEnd;
      readonly reason: string;
      /** Somebody moved the base before it could be merged; absent: it ended for another reason, or the log is older. */
      readonly isOvertaken?: true;
    }
  | { readonly type: "train.paused"; readonly by: string }
  | { readonly type: "train.resumed"; readonly by: string }
  | { readonly type: "train.reordered"; readonly order: readonly string[]; readonly by: string };

/** Checks on a commit of the project itself. */
export type CommitCheckEvent =
  /** Of the base, to compare it with that of a pull request. */
  | {
      readonly type: "commit.check-requested";
      readonly commit: string;
      readonly name: string;
      readonly attempt: number;
      readonly key: string;
    }
  | {
      readonly type: "commit.check-started";
      readonly commit: string;
      readonly name: string;
      readonly attempt: number;
    }
  | ({
      readonly type: "commit.check-finished";
      readonly commit: string;
      readonly name: string;
      readonly attempt: number;
      readonly state: Exclude<CheckState, "queued" | "running">;
    } & Pick<CheckRun, "ref" | "code" | "log" | "fingerprint" | "tookMs" | "tests">);
