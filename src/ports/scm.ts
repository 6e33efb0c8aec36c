import type { FoundChange } from "../core/change/found-change.ts";
import type { ChangeObservation, ReportedCheck } from "../core/change/observation.ts";
import type { CheckPhase } from "../core/change/progress.ts";
import type { ChangeSize, ForgeWrite, QueuePlace } from "../core/change/state.ts";
import type { ExactMerge } from "../core/intent.ts";
import type { MergeStrategy } from "../core/merge/strategy.ts";
import type { Finding } from "./finding.ts";
import type { Mergeability } from "./mergeability.ts";
import type { ReconcileAnswer } from "./workspace.ts";

/** Where branches become part of the base: pull requests, checks, merging. */
export interface ScmProject {
  readonly id: string;
  /** The main checkout. */
  readonly path: string;
  readonly defaultBranch: string;
}

/** What a branch holds against its base. */
export interface BranchFacts {
  readonly head: string;
  /** The commit of the base branch now. */
  readonly baseHead: string;
  /** Commits of the branch that the base lacks. */
  readonly ahead: number;
}

/** A pull request that is to be there. */
export interface ChangeRequest {
  readonly project: ScmProject;
  readonly branch: string;
  readonly base: string;
  readonly head: string;
  readonly title: string;
  readonly body: string;
  /** The highest number that is recorded; what has a higher one is not known yet. */
  readonly after: number;
}

/** A pull request as its forge names it. */
export interface OpenChange {
  readonly number: number;
  /** Its page; null: it has none. */
  readonly url: string | null;
  /** It is a draft because this forge was asked to open drafts; the write `ready` ends that. */
  readonly isDraft?: true;
}

/** A merged pull request that is to be taken back. */
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
  /** What came after it depends on it, or it is not merged: a person has to do it. */
  | { readonly kind: "refused"; readonly reason: string };

/** A newer commit of a pull request's branch, for the forge. */
export interface PublishRequest {
  readonly project: ScmProject;
  readonly number: number;
  readonly branch: string;
  readonly head: string;
  /** The commit that `ao` pushed last: only that one may be overwritten; null: none. */
  readonly published: string | null;
}

export type PublishAnswer =
  | { readonly kind: "published" }
  /** The forge's branch has a commit of somebody else, which `head` lacks. */
  | { readonly kind: "diverged"; readonly head: string };

/** Something said or done here, with its text. */
export type RemoteWrite = WithText<ForgeWrite>;

type WithText<T> = T extends { readonly text: unknown } ? Omit<T, "text"> & { readonly text: string } : T;

/**
 * What a forge elsewhere can do beside. It has its own copy of the branches, and it reports checks, reviews and merges; all
 * writes can be repeated.
 */
export interface RemoteForge {
  /** Absent: pull requests that somebody else opened cannot be claimed. */
  readonly claims?: ForgeClaims;
  /** Brings the newest commit of the default branch here, where `readHead` finds it: new work starts from it. */
  fetchBase(project: ScmProject): Promise<void>;
  /** Pushes a commit of a branch that `ensureChange` pushed before. */
  publish(request: PublishRequest): Promise<PublishAnswer>;
  /** Reads these pull requests with as few questions as the forge allows; one that it does not know is left out. Brings their bases here. */
  readChanges(project: ScmProject, changes: readonly WatchedChange[]): Promise<readonly ChangeObservation<string>[]>;
  /** The failed step of a red check and the end of its log; null: there is none. */
  readCheckLog(project: ScmProject, check: ReportedCheck<string>): Promise<string | null>;
  /** Keeps one comment of ours on a pull request: written once, edited after that, however often it is asked. Absent: it has none. */
  readonly showStatus?: (project: ScmProject, number: number, text: string) => Promise<void>;
  write(request: { readonly project: ScmProject; readonly number: number; readonly write: RemoteWrite }): Promise<void>;
}

/** A pull request that is to be read. */
export interface WatchedChange {
  readonly number: number;
  readonly head: string;
  /** It was in the forge's merge queue when it was last read, so that its place there matters. */
  readonly isQueued?: boolean;
}

/** How a pull request that somebody else opened becomes the one of a session. */
export interface ForgeClaims {
  /** null: there is no pull request of this number. */
  find(project: ScmProject, number: number): Promise<FoundChange | null>;
  /** Brings a branch of the forge here, under its own name, and gives its commit. Never moves one that is checked out or has commits of its own. */
  fetchBranch(project: ScmProject, branch: string): Promise<string>;
}

export interface MergeRequest {
  readonly project: ScmProject;
  readonly number: number;
  readonly branch: string;
  readonly base: string;
  /** Exactly this commit is merged; a branch that has moved is not. */
  readonly head: string;
  readonly strategy: MergeStrategy;
  readonly title: string;
  readonly body: string;
  /** A merge that `buildMerges` made: this commit and no other, and only if the base is where it was then. */
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

export interface BuildAnswer {
  /** One for each request, up to the first that conflicts. */
  readonly built: readonly BuiltMerge[];
  /** The files in conflict there; empty: there is none. */
  readonly conflicts: readonly string[];
}

/** The merge of a pull request that is to be taken back. */
export interface MergeRevert extends MergeRequest {
  /** The commit that the merge made of the base, and the one before. */
  readonly merged: { readonly commit: string; readonly baseBefore: string };
  /** The check that is red since then. */
  readonly check: string;
}

export type MergeRevertAnswer =
  | { readonly kind: "reverted"; readonly commit: string }
  /** What came later builds on it, or a person's edits are in the way. */
  | { readonly kind: "not-reverted"; readonly reason: string };

export type MergeAnswer =
  | { readonly kind: "merged"; readonly commit: string; readonly baseBefore: string }
  /** The forge merges it by a queue of its own, in which it is now. */
  | ({ readonly kind: "queued" } & QueuePlace)
  /** It must wait for something that passes: a person's edits in the touched files, a lock. */
  | { readonly kind: "waits"; readonly reason: string; readonly files: readonly string[] }
  | { readonly kind: "conflict"; readonly files: readonly string[] }
  /** The base is not where an exact merge was built; null: it is gone. */
  | { readonly kind: "base-moved"; readonly head: string | null }
  /** The branch is not at the asked commit any more. */
  | { readonly kind: "moved"; readonly head: string | null };

/** A check in a clean checkout of one commit. */
export interface CheckRequest {
  readonly project: ScmProject;
  readonly commit: string;
  readonly check: string;
  readonly run: string;
  /** null: found out from the files of the commit (a lockfile); empty: none. */
  readonly setup: string | null;
  /** For set-up and command each, from its own start; downtime counts. */
  readonly timeoutMs: number;
  /** A folder for this one attempt: log, run files, what is known of it. Stays; the checkout inside it does not. */
  readonly folder: string;
  readonly intentId: string;
  /** The whole environment, to which CI, AO_CHECK, AO_COMMIT and AO_PROJECT are added. */
  readonly env: Readonly<Record<string, string>>;
  /** Told when it begins to do something else; of one that is taken over, what it does. */
  readonly onPhase?: (phase: CheckPhase) => void;
}

/** A part of what a check printed, set-up first, as plain text; full lines while it runs. */
export interface CheckLog {
  readonly text: string;
  /** Where the next part begins. */
  readonly cursor: number;
}

export type CheckAnswer =
  | { readonly kind: "passed"; readonly log: string; readonly tookMs: number }
  | { readonly kind: "failed"; readonly code: number; readonly log: string; readonly tookMs: number }
  | { readonly kind: "timed-out"; readonly log: string; readonly tookMs: number }
  /** The checkout could not be prepared; the change itself was not tried. */
  | { readonly kind: "setup-failed"; readonly log: string; readonly tookMs: number }
  | { readonly kind: "cancelled"; readonly reason: string };

export interface Scm {
  /** Absent: the forge is this repository; checks run here, and reviews are in `ao`. */
  readonly remote?: RemoteForge;
  /** null: there is no such branch. */
  readBranch(project: ScmProject, branch: string, base: string): Promise<BranchFacts | null>;
  /** Subjects of the newest commits that the base lacks, newest first, at most 20; none when there is no such branch. */
  readSubjects(project: ScmProject, branch: string, base: string): Promise<readonly string[]>;
  /** The commit of a branch, read without starting a process where that is possible; null: no such branch. */
  readHead(project: ScmProject, branch: string): Promise<string | null>;
  /** Would these two commits merge? Touches no ref, index or work tree. */
  tryMerge(project: ScmProject, head: string, baseHead: string): Promise<Mergeability>;
  /** Opens a pull request for a branch, or finds the one that is open for it: asked again after a crash, it opens none twice. */
  ensureChange(request: ChangeRequest): Promise<OpenChange>;
  /**
   * Opens a pull request that takes a merged one back, or finds the one that does: asked again after a crash, it opens none twice.
   * Absent: this forge cannot.
   */
  readonly revert?: (request: RevertRequest) => Promise<RevertAnswer>;
  /** Merges as one compare-and-swap; never moves a branch under a checkout without taking the checkout along. */
  merge(request: MergeRequest): Promise<MergeAnswer>;
  /**
   * Builds merges in memory, each on top of the one before, beginning at a commit of the base; moves nothing. Absent: the
   * forge merges by itself, so that nobody can check the exact result before.
   */
  buildMerges?(requests: readonly MergeRequest[], base: string): Promise<BuildAnswer>;
  /** Takes a merge back with a new commit on the base; one that was taken back is not again. Absent: the forge cannot. */
  revertMerge?(request: MergeRevert): Promise<MergeRevertAnswer>;
  /** After a crash: is exactly this head merged by this request? */
  reconcileMerge(request: MergeRequest): Promise<ReconcileAnswer<MergeAnswer>>;
  /**
   * Deletes a merged branch if it still is at `head` and is checked out nowhere; its head stays under refs/ao/merged. One
   * that is gone already counts as deleted.
   */
  deleteBranch(
    project: ScmProject,
    branch: string,
    head: string,
  ): Promise<{ readonly deleted: boolean; readonly reason: string }>;
  /** How much a commit changes against where it left its base, which is a commit too. */
  countChanges(project: ScmProject, commits: { readonly head: string; readonly base: string }): Promise<ChangeSize>;
  /** How many lines a file has in a commit; null: there is no such file. */
  countLines(project: ScmProject, commit: string, path: string): Promise<number | null>;
  /** The change as a unified diff against the merge base; `base` is a branch or a commit. */
  diff(project: ScmProject, head: string, base: string): Promise<string>;
  /**
   * Runs a check, or adopts the one that runs or has ended in the same folder; `isWanted` is asked while it runs, and false
   * ends it. Resolves when it is over. The same folder gives the same answer again, except after `cancelled`: then it starts over.
   */
  runCheck(request: CheckRequest, isWanted: () => boolean): Promise<CheckAnswer>;
  /**
   * What the attempt in this folder has printed since `cursor` (null: the end of it), at most 64 KiB at once; null when there is
   * nothing of it any more.
   */
  readCheckLog(folder: string, cursor: number | null): Promise<CheckLog | null>;
  /** What `ao doctor` says of it: access, and rules that keep `ao` from merging. Absent: there is nothing to check. */
  readonly examine?: (project: ScmProject, use: { readonly strategy: MergeStrategy }) => Promise<readonly Finding[]>;
}
