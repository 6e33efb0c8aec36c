import type { CreateWorkspace, WorkspaceRef } from "../../ports/workspace.ts";
import type { Assessment } from "./assess.ts";
import type { Place } from "./layout.ts";
import type { Marker } from "./marker.ts";
import type { Preserved } from "./preserved.ts";
import type { Tools } from "./tools.ts";

/** What happened to the state of a checkout before its removal. */
export type SaveOutcome =
  | { readonly kind: "saved"; readonly preservedRef: string | null }
  | { readonly kind: "refused"; readonly reason: string };

/** How to create a checkout, decided before anything changes. */
export interface Plan {
  /** The branch that HEAD will be on, and whether it is new; null for a detached HEAD. */
  readonly onto: { readonly branch: string; readonly isNew: boolean } | null;
  readonly head: string;
  readonly baseCommit: string;
  readonly saved: Preserved | null;
  readonly notes: readonly string[];
}

/** What is at the place where a session's checkout belongs. */
export type Found =
  | { readonly kind: "absent"; readonly notes: readonly string[] }
  | { readonly kind: "ours"; readonly gitDir: string; readonly marker: Marker }
  /** Something that is not ours, or partial with content of unknown origin; it is left alone. */
  | { readonly kind: "foreign"; readonly reason: string };

/** What a new checkout is made from. */
export interface Asked {
  readonly place: Place;
  readonly request: CreateWorkspace;
  readonly plan: Plan;
  readonly marker: Marker;
}

/** How a checkout relates to the project's repository: everything in which a linked worktree and a clone differ. */
export interface CheckoutKind {
  /** The git folder of such a checkout, or null if the folder is not one. */
  findGitDir(folder: string): Promise<string | null>;
  /** The commit at which a branch of another session can be checked out, or null if it cannot. */
  findOther(request: CreateWorkspace, place: Place, branch: string): Promise<string | null>;
  /** Creates the folder with HEAD as planned and without files; returns its git folder. */
  make(asked: Asked): Promise<string>;
  /** For an absent checkout: removes what an earlier one left elsewhere. */
  clearAbsent(place: Place, request: CreateWorkspace): Promise<Found>;
  /** For a checkout of this kind without our marker. */
  judgeUnmarked(place: Place, request: CreateWorkspace, gitDir: string): Promise<Found>;
  /**
   * Recreates the session's branch if it is missing from the project; returns a note, or null if nothing was missing.
   */
  rebuildBranch(
    request: CreateWorkspace,
    place: Place,
    gitDir: string,
    fallback: string | null,
  ): Promise<string | null>;
  /** Examines everything that would be removed with the folder; writes nothing but objects. */
  assess(ref: WorkspaceRef, folder: string, gitDir: string): Promise<Assessment>;
  /** Saves everything found outside the folder. */
  save(ref: WorkspaceRef, folder: string, state: Assessment): Promise<SaveOutcome>;
  /** Before the folder is moved aside: keeps `git worktree prune` from treating its entry as stale. */
  hold(gitDir: string): Promise<void>;
  /** After the folder is back in place. */
  release(gitDir: string): Promise<void>;
  /** After the folder is deleted: removes its entry from the repository. */
  forget(place: Place, gitDir: string): Promise<void>;
  /** If the folder is already gone: saves what is left of it elsewhere; returns a reason if that must stay. */
  settleAbsent(ref: WorkspaceRef, place: Place): Promise<string | null>;
}

/** What the operations on checkouts are given. */
export interface CheckoutTools extends Tools {
  readonly kind: CheckoutKind;
}
