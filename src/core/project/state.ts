import type { Flakes } from "../cause/flake.ts";
import type { MainState } from "../guard/state.ts";
import type { ProjectPolicy } from "../policy.ts";
import type { CommitChecks, TrainState } from "../train/state.ts";
import type { OpenCollision } from "./collision.ts";
import type { BaseWarning } from "./repository.ts";

/** What is known about a repository from its registration. */
export interface ProjectFacts {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly repo: string | null;
  readonly defaultBranch: string;
  readonly sessionPrefix: string;
  /** The YAML file it came from; null if it was registered without one. */
  readonly configFile: string | null;
  /** How many of its sessions may be open at once; null: only the machine's limit applies. */
  readonly limit: number | null;
}

/** A repository that `ao` works on. */
export interface ProjectState extends ProjectFacts {
  /** null: not read yet; then nothing is opened, checked or merged. */
  readonly policy: ProjectPolicy | null;
  /** The commit of the default branch, as last seen. */
  readonly baseHead: string | null;
  /** When all of its work was last done; 0: never. */
  readonly completedAt: number;
  /** Work that would conflict, found while agents work; absent: never found any, as in older logs. */
  readonly collisions?: readonly OpenCollision[];
  /** Absent: no batch was ever formed, as in older logs. */
  readonly train?: TrainState;
  readonly commitChecks?: CommitChecks;
  /** Absent: the base was never checked, as in older logs. */
  readonly main?: MainState;
  /** Its folder is gone; absent or null: it is there. */
  readonly missing?: { readonly evidence: string; readonly at: number } | null;
  /** The default branch on this machine, as far as it was followed; absent: not yet. */
  readonly ownBase?: string | null;
  /** Absent or null: nothing happened to that branch without `ao` that a person has not seen. */
  readonly baseWarning?: BaseWarning | null;
  /** Checks that failed and passed on the same commit; absent: none, and so in older logs. */
  readonly flakes?: Flakes;
  readonly paused: boolean;
  readonly removed: boolean;
  readonly at: number;
}

/** What was registered, without later changes. */
export function factsOf(project: ProjectState): ProjectFacts {
  const { id, name, path, repo, defaultBranch, sessionPrefix, configFile, limit } = project;
  return { id, name, path, repo, defaultBranch, sessionPrefix, configFile, limit };
}
