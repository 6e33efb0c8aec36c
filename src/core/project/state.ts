import type { MainState } from "../guard/state.ts";
import type { ProjectPolicy } from "../policy.ts";
import type { CommitChecks, TrainState } from "../train/state.ts";
import type { OpenCollision } from "./collision.ts";

/** What is known of a repository from its registration. */
export interface ProjectFacts {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly repo: string | null;
  readonly defaultBranch: string;
  readonly sessionPrefix: string;
  /** The YAML file it came from; null when it was registered without one. */
  readonly configFile: string | null;
  /** How many of its sessions may be open at once; null: only the machine's limit counts. */
  readonly limit: number | null;
}

/** A repository that `ao` works on. */
export interface ProjectState extends ProjectFacts {
  /** null: not read yet; nothing is opened, checked or merged then. */
  readonly policy: ProjectPolicy | null;
  /** The commit of the default branch, as it was last seen. */
  readonly baseHead: string | null;
  /** When all of its work was done the last time; 0: never. */
  readonly completedAt: number;
  /** Work that would conflict, found while agents work; absent: nothing was ever found, as in older logs. */
  readonly collisions?: readonly OpenCollision[];
  /** Absent: no batch was ever formed, as in older logs. */
  readonly train?: TrainState;
  readonly commitChecks?: CommitChecks;
  /** Absent: the base was never checked, as in older logs. */
  readonly main?: MainState;
  readonly paused: boolean;
  readonly removed: boolean;
  readonly at: number;
}

/** What was registered, without what became of it since. */
export function factsOf(project: ProjectState): ProjectFacts {
  const { id, name, path, repo, defaultBranch, sessionPrefix, configFile, limit } = project;
  return { id, name, path, repo, defaultBranch, sessionPrefix, configFile, limit };
}
