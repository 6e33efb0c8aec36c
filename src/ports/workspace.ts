import type { Mergeability } from "./mergeability.ts";

/** Where an agent works: one folder and branch per session. */
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

/** Returns the arguments that start a program in the sandbox of a session, in a folder of its workspace. */
export type EncloseCommand = (argv: readonly string[], cwd: string) => Promise<readonly string[]>;

export interface CreateWorkspace {
  readonly project: WorkspaceProject;
  readonly sessionId: string;
  /** Name of the folder. */
  readonly name: string;
  readonly branch: string;
  /** Increases with each rebuild of the same session's workspace (restore). */
  readonly generation: number;
  /** What the branch starts from when it does not exist yet; default the project's default branch. */
  readonly base?: string | undefined;
  /** Restore the newest preserved state of this session, if any. */
  readonly restore: boolean;
  /** Passed to postCreate and hooks, so they can recognize a repetition. */
  readonly intentId: string;
  /** Passed to postCreate, increased by one if that may have run before in the same folder. */
  readonly attempt: number;
  /** The environment of postCreate, in place of the daemon's. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** For a session in a sandbox: postCreate runs there too, unless there is nothing yet but the base of the project. */
  readonly enclose?: EncloseCommand | undefined;
  /** `base` is not the project's own: others' work that nobody approved may be in it. */
  readonly isOtherBase?: boolean | undefined;
}

export interface WorkspaceInfo {
  readonly path: string;
  readonly branch: string;
  /** Commit of the branch when the workspace was ready. */
  readonly head: string;
  /** Commit that the branch started from. */
  readonly baseCommit: string;
  /** The preserved ref that was restored, if any. */
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

export interface RemoveWorkspace extends WorkspaceRef {
  /** The environment of preRemove, in place of the daemon's. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** For a session in a sandbox: preRemove runs there too. */
  readonly enclose?: EncloseCommand | undefined;
}

export type RemoveOutcome =
  | { readonly kind: "removed"; readonly preservedRef: string | null; readonly head: string | null }
  /** The folder stays because its content cannot be saved completely. */
  | { readonly kind: "kept"; readonly reason: string };

export type WorkspaceCondition =
  /** `on`: the branch or commit that is checked out in place of the session's own branch. */
  | { readonly kind: "ready"; readonly on?: string }
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
  /** Does the branch exist? */
  readonly exists: boolean;
  readonly reason: string;
}

/** Changed, uncommitted files. */
export interface WorkspaceChanges {
  readonly count: number;
  /** The first few, sorted. */
  readonly names: readonly string[];
  /** Differs whenever any of the files changes again; never empty. */
  readonly tree: string;
}

export interface CommitRequest {
  readonly message: string;
  /** The committer, if not from git's own settings. */
  readonly env: Readonly<Record<string, string>>;
}

export type CommitAnswer =
  | { readonly kind: "committed"; readonly head: string; readonly files: number }
  | { readonly kind: "nothing" }
  /** Conflicts, another branch, a hook; nothing was committed. */
  | { readonly kind: "refused"; readonly reason: string };

/** Two commits to merge in memory. */
export interface TrialPair {
  readonly ours: string;
  readonly theirs: string;
}

/** In-memory merges between the workspaces of a project and its base; the repository keeps none of them. */
export interface TrialMerges {
  /** The workspace as one commit, as if everything in it were committed now; null if it cannot be read. */
  capture(ref: WorkspaceRef): Promise<string | null>;
  /** One answer per pair, in order. */
  merge(project: WorkspaceProject, pairs: readonly TrialPair[]): Promise<readonly Mergeability[]>;
  /** Deletes everything captured for the project. */
  forget(project: WorkspaceProject): Promise<void>;
}

export interface Workspace {
  /**
   * Creates or adopts the session's workspace; repeating the call returns the same workspace. Never resets a branch.
   */
  create(request: CreateWorkspace): Promise<WorkspaceInfo>;
  /** After a crash: was it fully created? Removes a partial workspace if it is ours and clean. */
  reconcileCreate(request: CreateWorkspace): Promise<ReconcileAnswer<WorkspaceInfo>>;
  /**
   * Saves uncommitted work to `refs/ao/preserved/<session>/<n>`, then removes the folder; the branch stays. Idempotent.
   */
  remove(request: RemoveWorkspace): Promise<RemoveOutcome>;
  /** Does it still exist? Starts no process. */
  inspect(ref: WorkspaceRef): Promise<WorkspaceCondition>;
  /** Changes against the base, committed or not, as a unified diff. */
  diff(ref: WorkspaceRef, baseCommit: string): Promise<string>;
  /** The uncommitted changes, or null. Ignored files do not count. */
  readChanges(ref: WorkspaceRef): Promise<WorkspaceChanges | null>;
  /** Commits all changes on the workspace's own branch. */
  commit(ref: WorkspaceRef, request: CommitRequest): Promise<CommitAnswer>;
  /** May the folder and branch be deleted: clean and merged into the default branch? */
  checkMerged(ref: WorkspaceRef): Promise<MergedAnswer>;
  /** Deletes the session's saved states (with `dryRun` only lists them). No other call deletes saved work. */
  dropPreserved(ref: WorkspaceRef, dryRun: boolean): Promise<readonly PreservedRef[]>;
  /**
   * Copies the branch's commits into the project's repository, for workspaces with their own repository; null: this one
   * has none.
   */
  publish?(ref: WorkspaceRef): Promise<{ readonly head: string } | null>;
  /** Shows a workspace with its own repository where the project's branches are now. */
  refresh?(ref: Pick<WorkspaceRef, "project" | "path">): Promise<void>;
  /** Deletes the branch only if it is merged and not checked out. */
  deleteBranch(ref: WorkspaceRef): Promise<boolean>;
  /** Absent: these workspaces cannot be compared while their agents work. */
  readonly trials?: TrialMerges;
}
