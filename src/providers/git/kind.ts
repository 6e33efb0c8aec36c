import type { CreateWorkspace, WorkspaceRef } from "../../ports/workspace.ts";
import type { Assessment } from "./assess.ts";
import type { Place } from "./layout.ts";
import type { Marker } from "./marker.ts";
import type { Preserved } from "./preserved.ts";
import type { Tools } from "./tools.ts";

/** What was done with the state of a checkout that is to go. */
export type SaveOutcome =
  | { readonly kind: "saved"; readonly preservedRef: string | null }
  | { readonly kind: "refused"; readonly reason: string };

/** How a checkout is to be made, decided before anything is changed. */
export interface Plan {
  /** The branch that HEAD is to be on, and whether it is new; null for a detached HEAD. */
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
  /** Something that is not ours, or half-made with content of unknown origin; it is left as it is. */
  | { readonly kind: "foreign"; readonly reason: string };

/** How a checkout hangs on the project's repository: all in which a linked worktree and a clone differ. */
export interface CheckoutKind {
  /** The git folder of a checkout of this kind, or null when the folder is none. */
  findGitDir(folder: string): Promise<string | null>;
  /** The commit at which a branch that is not the session's can be checked out, or null when it cannot. */
  findOther(request: CreateWorkspace, place: Place, branch: string): Promise<string | null>;
  /** Makes the folder with HEAD as planned and not one file; gives its git folder. */
  make(place: Place, request: CreateWorkspace, plan: Plan, marker: Marker): Promise<string>;
  /** Nothing is at the place: clears away what an earlier checkout left elsewhere. */
  clearAbsent(place: Place, request: CreateWorkspace): Promise<Found>;
  /** Something of this kind is at the place, without a marker of ours. */
  judgeUnmarked(place: Place, request: CreateWorkspace, gitDir: string): Promise<Found>;
  /** Puts the session's branch back that is gone from the project; gives a note, or null when there was nothing to do. */
  rebuildBranch(
    request: CreateWorkspace,
    place: Place,
    gitDir: string,
    fallback: string | null,
  ): Promise<string | null>;
  /** Looks at all that would go with the folder; writes objects at most. */
  assess(ref: WorkspaceRef, folder: string, gitDir: string): Promise<Assessment>;
  /** Puts all that was found where it outlives the folder. */
  save(ref: WorkspaceRef, folder: string, state: Assessment): Promise<SaveOutcome>;
  /** The folder is about to be moved aside: keeps `git worktree prune` from taking its entry for stale. */
  hold(gitDir: string): Promise<void>;
  /** The folder is back in its place. */
  release(gitDir: string): Promise<void>;
  /** The folder is deleted: takes its entry out of the repository. */
  forget(place: Place, gitDir: string): Promise<void>;
  /** The folder was gone already: saves what is left of it elsewhere; gives a reason when that must stay. */
  settleAbsent(ref: WorkspaceRef, place: Place): Promise<string | null>;
}

/** What the operations on checkouts are given. */
export interface CheckoutTools extends Tools {
  readonly kind: CheckoutKind;
}
