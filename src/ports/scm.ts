import type { ForkBranch, FoundChange } from "../core/change/found-change.ts";
import type { QueuePlace } from "../core/change/merge-request.ts";
import type { ChangeObservation, ReportedCheck } from "../core/change/observation.ts";
import type { CheckPhase } from "../core/change/progress.ts";
import type { ChangeSize, ForgeWrite } from "../core/change/state.ts";
import type { ChangedFiles, Versions } from "../core/held/find-held.ts";
import type { ExactMerge } from "../core/intent.ts";
import type { MergeStrategy } from "../core/merge/strategy.ts";
import type { SeenRepository } from "../core/project/repository.ts";
import type { Finding } from "./finding.ts";
import type { Mergeability, TriedMerge } from "./mergeability.ts";
import type { CheckAnswer, CheckCommand, CheckLog } from "./scm-check.ts";
import type { ReconcileAnswer } from "./workspace.ts";

/** Where branches become part of the base: pull requests, checks, merging. */
export interface ScmProject {
  readonly id: string;
  /** The main checkout. */
  readonly path: string;
  readonly defaultBranch: string;
}

/** How a branch compares to its base. */
export interface BranchFacts {
  readonly head: string;
  /** The commit of the base branch now. */
  readonly baseHead: string;
  /** Commits of the branch that the base lacks. */
  readonly ahead: number;
}

/** A pull request to open. */
export interface ChangeRequest {
  readonly project: ScmProject;
  readonly branch: string;
  readonly base: string;
  readonly head: string;
  readonly title: string;
  readonly body: string;
  /** The highest recorded number; pull requests with a higher one are not known yet. */
  readonly after: number;
}

/** A pull request as the forge identifies it. */
export interface OpenChange {
  readonly number: number;
  /** Its web page, or null. */
  readonly url: string | null;
  /** A draft because the configuration opens drafts on this forge; the write `ready` ends that. */
  readonly isDraft?: true;
}

/** A merged pull request to revert. */
export interface RevertRequest {
  readonly project: ScmProject;
  readonly number: number;
  readonly title: string;
  readonly body: string;
}

export type RevertAnswer =
  | {
      readonly kind: "opened";
      readonly number: number;
      readonly url: string;
      readonly branch: string;
      readonly head: string;
    }
  /** Later work depends on it, or it is not merged: a person has to do it. */
  | { readonly kind: "refused"; readonly reason: string };

/** A newer commit of a pull request's branch, to push to the forge. */
export interface PublishRequest {
  readonly project: ScmProject;
  readonly number: number;
  readonly branch: string;
  readonly head: string;
  /** The commit that `ao` pushed last: only that one may be overwritten; null: none. */
  readonly published: string | null;
  /** The branch to push to instead; absent: the one with the same name. */
  readonly fork?: ForkBranch;
}

export type PublishAnswer =
  | { readonly kind: "published" }
  /** The forge's branch has someone else's commit, which `head` lacks. */
  | { readonly kind: "diverged"; readonly head: string };

/** Something said or done locally, with its text. */
export type RemoteWrite = WithText<ForgeWrite>;

type WithText<T> = T extends { readonly text: unknown } ? Omit<T, "text"> & { readonly text: string } : T;

/**
 * What a remote forge can do in addition. It has its own copy of the branches and reports checks, reviews and merges;
 * all writes can be repeated.
 */
export interface RemoteForge {
  /** Absent: pull requests opened by others cannot be claimed. */
  readonly claims?: ForgeClaims;
  /** Webhooks do not report the checks of pull requests from forks, so those have to be polled. */
  readonly webhooksMissForks?: true;
  /** Does the forge restrict who may push to this branch? Absent: the forge cannot say. */
  readonly isProtected?: (project: ScmProject, branch: string) => Promise<boolean>;
  /** Fetches the newest commit of the default branch, where `readHead` finds it: new work starts from it. */
  fetchBase(project: ScmProject): Promise<void>;
  /** Pushes a commit of a branch that `ensureChange` already pushed. */
  publish(request: PublishRequest): Promise<PublishAnswer>;
  /**
   * Reads these pull requests with as few requests as the forge allows, and fetches their bases; leaves out unknown
   * ones.
   */
  readChanges(project: ScmProject, changes: readonly WatchedChange[]): Promise<readonly ChangeObservation<string>[]>;
  /** The failed step of a red check and the end of its log; null if there is none. */
  readCheckLog(project: ScmProject, check: ReportedCheck<string>): Promise<string | null>;
  /** Keeps one comment by ao on a pull request: created once, then edited. Absent: the forge does not support it. */
  readonly showStatus?: (project: ScmProject, number: number, text: string) => Promise<void>;
  write(request: { readonly project: ScmProject; readonly number: number; readonly write: RemoteWrite }): Promise<void>;
}

/** A pull request to read. */
export interface WatchedChange {
  readonly number: number;
  readonly head: string;
  /** It was in the forge's merge queue at the last read, so its place there matters. */
  readonly isQueued?: boolean;
}

/** How a session takes over a pull request that someone else opened. */
export interface ForgeClaims {
  /** null: no pull request with this number. */
  find(project: ScmProject, number: number): Promise<FoundChange | null>;
  /**
   * Fetches a branch of the forge and returns its commit; `ref` says where its commits are if not under the same name.
   * Never moves a branch that is checked out or has its own commits.
   */
  fetchBranch(project: ScmProject, branch: string, ref?: string): Promise<string>;
}

export interface MergeRequest {
  readonly project: ScmProject;
  readonly number: number;
  readonly branch: string;
  readonly base: string;
  /** Merges exactly this commit; if the branch has moved, it does not merge. */
  readonly head: string;
  readonly strategy: MergeStrategy;
  readonly title: string;
  readonly body: string;
  /** Only what comes after this commit is its own: the base has the rest in other commits. Remote forges ignore it. */
  readonly startsAfter?: string;
  /** When it was requested, in ms. Its built commits get a date that follows from it, so building them again gives the same ones. */
  readonly requestedAt?: number;
  /** A merge that `buildMerges` made: exactly this commit, and only if the base has not moved since. */
  readonly exact?: ExactMerge;
}

/** The merge of one pull request as a commit, without a branch. */
export interface BuiltMerge {
  readonly commit: string;
  /** It has the same files as the head. */
  readonly isHeadTree: boolean;
  /** Commits of the base that the head lacks, along its first parents, oldest first; of very many the newest. */
  readonly since: readonly string[];
}

/** Where merges are built. */
export interface BuildPlace {
  /** A commit of the base. */
  readonly base: string;
  /** What is built is kept under the number of its batch. */
  readonly batch: number;
}

export interface BuildAnswer {
  /** One for each request, up to the first conflict. */
  readonly built: readonly BuiltMerge[];
  /** The conflicting files of that one; empty if there is no conflict. */
  readonly conflicts: readonly string[];
}

/** The merge of a pull request, to be reverted. */
export interface MergeRevert extends MergeRequest {
  /** The base commit that the merge produced, and the one before it. */
  readonly merged: { readonly commit: string; readonly baseBefore: string };
  /** The check that has been red since. */
  readonly check: string;
}

export type MergeRevertAnswer =
  | { readonly kind: "reverted"; readonly commit: string }
  /** Later commits build on it, or a person's edits are in the way. */
  | { readonly kind: "not-reverted"; readonly reason: string };

export type MergeAnswer =
  | { readonly kind: "merged"; readonly commit: string; readonly baseBefore: string }
  /** The forge merges through its own queue, and this pull request is in it. */
  | ({ readonly kind: "queued" } & QueuePlace)
  /** It must wait for something temporary: a person's edits in the touched files, a lock. */
  | { readonly kind: "waits"; readonly reason: string; readonly files: readonly string[] }
  | { readonly kind: "conflict"; readonly files: readonly string[] }
  /** The base is no longer where an exact merge was built; null if the base is gone. */
  | { readonly kind: "base-moved"; readonly head: string | null }
  /** The commit of an exact merge is not in the repository any more; it has to be built again. */
  | { readonly kind: "lost" }
  /** The branch is no longer at the requested commit. */
  | { readonly kind: "moved"; readonly head: string | null };

/** A check in a clean checkout of one commit. */
export interface CheckRequest {
  readonly project: ScmProject;
  readonly commit: string;
  readonly check: string;
  readonly run: string;
  /** null: derived from the files of the commit (a lockfile); empty: none. */
  readonly setup: string | null;
  /** For set-up and command each, measured from its own start; downtime counts. */
  readonly timeoutMs: number;
  /** A folder for this attempt: log, run files, state. It stays; the checkout inside it is removed. */
  readonly folder: string;
  readonly intentId: string;
  /** The whole environment, plus CI, AO_CHECK, AO_COMMIT and AO_PROJECT. */
  readonly env: Readonly<Record<string, string>>;
  /** Called when the check enters another phase; for an adopted check, with its current phase. */
  readonly onPhase?: (phase: CheckPhase) => void;
  /** Puts the check in a sandbox: returns the arguments that start one of its commands there. Absent: it runs as the user. */
  readonly enclose?: (command: CheckCommand) => Promise<readonly string[]>;
}

export interface Scm {
  /** Absent: the forge is this repository; checks run here, and reviews are in `ao`. */
  readonly remote?: RemoteForge;
  /** null: no such branch. */
  readBranch(project: ScmProject, branch: string, base: string): Promise<BranchFacts | null>;
  /** Subjects of the newest commits that the base lacks, newest first, at most 20; empty if there is no such branch. */
  readSubjects(project: ScmProject, branch: string, base: string): Promise<readonly string[]>;
  /** The commit of a branch, read without starting a process where that is possible; null: no such branch. */
  readHead(project: ScmProject, branch: string): Promise<string | null>;
  /**
   * Is the repository on this machine there, and where did its default branch go since it was at a commit? null: it is only read.
   * Absent: there is none on this machine.
   */
  inspectRepository?(project: ScmProject, since: string | null): Promise<SeenRepository>;
  /** Would these two commits merge? Touches no ref, index or work tree. */
  tryMerge(project: ScmProject, commits: TriedMerge): Promise<Mergeability>;
  /**
   * A branch's last commit from the merged pull request that it was stacked on; null: its base has them all, for
   * example after a rebase.
   */
  findOwnStart(
    project: ScmProject,
    commits: { readonly head: string; readonly baseHead: string; readonly landed: string },
  ): Promise<string | null>;
  /** Opens a pull request for a branch, or finds the open one; repeating it after a crash opens no second one. */
  ensureChange(request: ChangeRequest): Promise<OpenChange>;
  /**
   * Opens a pull request that reverts a merged one, or finds the one that does; repeating it after a crash opens no
   * second one. Absent: this forge cannot revert.
   */
  readonly revert?: (request: RevertRequest) => Promise<RevertAnswer>;
  /** Merges as one compare-and-swap; never moves a checked-out branch without updating its checkout. */
  merge(request: MergeRequest): Promise<MergeAnswer>;
  /**
   * Builds merges in memory, each on top of the one before, starting at a commit of the base; moves no branch. Keeps the
   * commits until `releaseBatch`. Absent: the forge does the merging, so the exact result cannot be checked beforehand.
   */
  buildMerges?(requests: readonly MergeRequest[], place: BuildPlace): Promise<BuildAnswer>;
  /** No longer keeps what was built for a batch; repeating it does nothing. Absent: nothing is kept. */
  releaseBatch?(project: ScmProject, batch: number): Promise<void>;
  /** Is this commit in the repository on this machine? */
  hasCommit(project: ScmProject, commit: string): Promise<boolean>;
  /** Reverts a merge with a new commit on the base, at most once. Absent: the forge cannot revert. */
  revertMerge?(request: MergeRevert): Promise<MergeRevertAnswer>;
  /** After a crash: is exactly this head merged by this request? */
  reconcileMerge(request: MergeRequest): Promise<ReconcileAnswer<MergeAnswer>>;
  /**
   * Deletes a merged branch if it is still at `head` and not checked out; its head stays under refs/ao/merged. A
   * missing branch counts as deleted.
   */
  deleteBranch(
    project: ScmProject,
    branch: string,
    head: string,
  ): Promise<{ readonly deleted: boolean; readonly reason: string }>;
  /** The size of a commit's changes since it left its base, which is a commit too. */
  countChanges(project: ScmProject, commits: { readonly head: string; readonly base: string }): Promise<ChangeSize>;
  /** These files of a change; throws if one is not text or is larger than 4 MiB. */
  readVersions(project: ScmProject, change: ChangedFiles): Promise<readonly Versions[]>;
  /** The number of lines of a file in a commit; null: no such file. */
  countLines(project: ScmProject, commit: string, path: string): Promise<number | null>;
  /** The change as a unified diff against the merge base; `base` is a branch or a commit. */
  diff(project: ScmProject, head: string, base: string): Promise<string>;
  /**
   * Runs a check, or adopts the one that is running or has ended in the same folder; polls `isWanted` and ends the
   * check when it is false. Resolves when the check is over. The same folder returns the same result, except after
   * `cancelled`: then the check starts over.
   */
  runCheck(request: CheckRequest, isWanted: () => boolean): Promise<CheckAnswer>;
  /** What an attempt has printed since `cursor` (null: from the end), at most 64 KiB; null if nothing is left. */
  readCheckLog(folder: string, cursor: number | null): Promise<CheckLog | null>;
  /** Findings for `ao doctor`: access, and rules that keep `ao` from merging. Absent: nothing to check. */
  readonly examine?: (project: ScmProject, use: { readonly strategy: MergeStrategy }) => Promise<readonly Finding[]>;
}
