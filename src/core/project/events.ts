import type { FlakeEvent } from "../cause/flake.ts";
import type { MainEvent } from "../guard/events.ts";
import type { IntentEvent } from "../intent.ts";
import type { ProjectPolicy } from "../policy.ts";
import type { CommitCheckEvent, TrainEvent } from "../train/events.ts";
import type { Collision } from "./collision.ts";
import type { BaseWarning } from "./repository.ts";
import type { ProjectFacts } from "./state.ts";

/** Everything that can have happened to a project. docs/lifecycle.md has a row for each. */
export type ProjectEvent =
  | ({ readonly type: "project.registered" } & ProjectFacts)
  | { readonly type: "project.removed" }
  | { readonly type: "project.paused" }
  | { readonly type: "project.resumed" }
  | { readonly type: "project.policy-set"; readonly policy: ProjectPolicy }
  | { readonly type: "project.base-moved"; readonly head: string }
  /** The folder of its repository is gone. */
  | { readonly type: "project.vanished"; readonly evidence: string }
  | { readonly type: "project.reappeared" }
  /** The default branch on this machine was followed to this commit, and nothing was wrong with it. */
  | { readonly type: "project.base-followed"; readonly head: string }
  /** It lost commits, or is gone. */
  | ({ readonly type: "project.base-rewritten" } & Omit<BaseWarning, "kind" | "at">)
  /** Agents committed to it themselves. */
  | ({ readonly type: "project.base-committed" } & Omit<BaseWarning, "kind" | "at">)
  /** A person has seen that. */
  | { readonly type: "project.base-accepted"; readonly by: string }
  /** Also if the files of a known collision change. */
  | ({ readonly type: "collision.found" } & Collision)
  | ({ readonly type: "collision.gone" } & Omit<Collision, "files">)
  /** Every session of the project is over, and at least one change was merged since the last time. */
  | { readonly type: "project.completed"; readonly merged: number }
  | TrainEvent
  | CommitCheckEvent
  | FlakeEvent
  | MainEvent
  | IntentEvent;
