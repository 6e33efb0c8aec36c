import type { Mergeability } from "./mergeability.ts";

/** Where an agent works: one folder and branch for each session. */
export interface WorkspaceProject {
  readonly id: string;
  /** The main checkout. */
  readonly path: string;
  readonly defaultBranch: string;
  /** Where worktrees go; default `<path>/.worktrees`. */
  readonly worktreeDir?: string | undefined;
  readonly symlinks?: readonly string[] | undefined;
  readonly postCreate?: readonly string[] | undefined;
  readonly preRemove?: readonly string[] | undefined;
}

export interface CreateWorkspace {
  readonly project: WorkspaceProject;
  readonly sessionId: string;
  /** Name of the folder. */
  readonly name: string;
  readonly branch: string;
  /** Grows with each rebuild of the same session's workspace (restore). */
  readonly generation: number;
  /** What the branch starts from when it does not exist yet; default the project's default branch. */
  readonly base?: string | undefined;
  /** Restore the newest preserved state of this session, when there is one. */
  readonly restore: boolean;
  /** Given to postCreate and hooks, so that they can tell a repetition. */
  readonly intentId: string;
  readonly attempt: number;
  /** Extra environment of the project for postCreate. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

export interface WorkspaceInfo {
  readonly path: string;
  readonly branch: string;
  /** Commit of the branch when the workspace was ready. */
  readonly head: string;
  /** Commit that the branch started from. */
  readonly baseCommit: string;
  /** Preserved ref that was brought back, if any. */
  readonly restoredFrom: string | null;
  /** Things a person should know: a skipped symlink, a branch that was rebuilt. */
  readonly notes: readonly string[];
}

export interface WorkspaceRef {
  readonly project: WorkspaceProject;
  readonly sessionId: string;
  readonly path: string;
  readonly branch: string;
  readonly generation: number;
}

export type RemoveOutcome =
  | { readonly kind: "removed"; readonly preservedRef: string | null; readonly head: string | null }
  /** The folder stays because its content cannot be saved whole. */
  | { readonly kind: "kept"; readonly reason: string };

export type WorkspaceCondition =
  | { readonly kind: "ready" }
  | { readonly kind: "missing"; readonly evidence: string }
  | { readonly kind: "branch-missing"; readonly evidence: string }
  | { readonly kind: "unknown"; readonly evidence: string };

export type ReconcileAnswer<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "not-done" }
  | { readonly kind: "unknown"; readonly reason: string };

export interface PreservedRef {
  readonly ref: string;
  readonly commit: string;
}

export interface MergedAnswer {
  readonly merged: boolean;
  /** Is there a branch at all? */
  readonly exists: boolean;
  readonly reason: string;
}

/** Files that are changed and not committed. */
export interface WorkspaceChanges {
  readonly count: number;
  /** The first few, sorted. */
  readonly names: readonly string[];
  /** Another one when any of the files changed again; never empty. */
  readonly tree: string;
}

export interface CommitRequest {
  readonly message: string;
  /** Who commits, where that is not git's own setting. */
  readonly env: Readonly<Record<string, string>>;
}

export type CommitAnswer =
  | { readonly kind: "committed"; readonly head: string; readonly files: number }
  | { readonly kind: "nothing" }
  /** Conflicts, another branch, a hook; nothing was committed. */
  | { readonly kind: "refused"; readonly reason: string };

/** Two commits that are merged in memory. */
export interface TrialPair {
  readonly ours: string;
  readonly theirs: string;
}

/** Merges between the workspaces of one project and its base, in memory: the repository keeps nothing of them. */
export interface TrialMerges {
  /** The workspace as one commit, as if everything in it were committed now; null: there is nothing to read. */
  capture(ref: WorkspaceRef): Promise<string | null>;
  /** One answer for each pair, in their order. */
  merge(project: WorkspaceProject, pairs: readonly TrialPair[]): Promise<readonly Mergeability[]>;
  /** Throws away everything that was captured of the project. */
  forget(project: WorkspaceProject): Promise<void>;
}

export interface Workspace {
  /** Creates or adopts the session's workspace; the same call twice gives the same workspace. Never resets a branch. */
  create(request: CreateWorkspace): Promise<WorkspaceInfo>;
  /** After a crash: was it created whole? A half-made one that is ours and clean is cleared away here. */
  reconcileCreate(request: CreateWorkspace): Promise<ReconcileAnswer<WorkspaceInfo>>;
  /** Saves what is not committed to `refs/ao/preserved/<session>/<n>`, then removes the folder; the branch stays. Twice is fine. */
  remove(ref: WorkspaceRef): Promise<RemoveOutcome>;
  /** Is it still there? Starts no process. */
  inspect(ref: WorkspaceRef): Promise<WorkspaceCondition>;
  /** Changes against the base, committed or not, as a unified diff. */
  diff(ref: WorkspaceRef, baseCommit: string): Promise<string>;
  /** What is changed and not committed; null: nothing. Ignored files do not count. */
  readChanges(ref: WorkspaceRef): Promise<WorkspaceChanges | null>;
  /** Commits everything that is changed, on the workspace's own branch. */
  commit(ref: WorkspaceRef, request: CommitRequest): Promise<CommitAnswer>;
  /** May the folder and branch be deleted: clean and merged into the default branch? */
  checkMerged(ref: WorkspaceRef): Promise<MergedAnswer>;
  /** Deletes the session's saved states (with `dryRun` only lists them). The one call that throws saved work away. */
  dropPreserved(ref: WorkspaceRef, dryRun: boolean): Promise<readonly PreservedRef[]>;
  /** Brings the branch's commits into the project's repository, for workspaces that have one of their own. */
  publish?(ref: WorkspaceRef): Promise<{ readonly head: string }>;
  /** Deletes the branch if it is merged and not checked out; never otherwise. */
  deleteBranch(ref: WorkspaceRef): Promise<boolean>;
  /** Absent: workspaces of this kind cannot be compared while their agents work. */
  readonly trials?: TrialMerges;
}
