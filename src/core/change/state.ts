import type { CommandRun } from "../command/command-run.ts";
import type { MergeStrategy } from "../merge/strategy.ts";
import type { Problems } from "../reaction/problem.ts";
import type { UntrustedRead } from "../reaction/untrusted.ts";
import type { StoredText } from "../text.ts";
import type { ForkBranch } from "./found-change.ts";

/** State of a check. cancelled: replaced by a newer commit. unknown: its result was lost; a person may run it again. */
export const CHECK_STATES = [
  "queued",
  "running",
  "passed",
  "failed",
  "timed-out",
  "setup-failed",
  "cancelled",
  "unknown",
] as const;

export type CheckState = (typeof CHECK_STATES)[number];

export interface CheckRun {
  readonly name: string;
  readonly head: string;
  /** Grows when it is asked for again on the same commit. */
  readonly attempt: number;
  readonly state: CheckState;
  readonly code: number | null;
  /** The end of its log. */
  readonly log: StoredText | null;
  /** Tells one failure from another on the same commit. */
  readonly fingerprint: string;
  readonly tookMs: number | null;
  /** Of a check that the forge ran: its id there, and its page. */
  readonly ref?: string;
  readonly url?: string;
  readonly at: number;
}

export type Verdict = "approve" | "request-changes" | "comment";

export interface Review {
  readonly id: string;
  readonly author: string;
  readonly verdict: Verdict;
  readonly body: StoredText | null;
  /** The commit that was looked at. */
  readonly head: string;
  /** A program wrote it. */
  readonly isBot?: true;
  /** May its author write to the repository on the forge? Absent: it was given here, or in an older log. */
  readonly access?: "write" | "none";
  /** Somebody took it back on the forge. */
  readonly isDismissed?: true;
  /** Its author was asked for another review of this commit, after so many replies of people; absent: not yet. */
  readonly requestedAgain?: { readonly head: string; readonly replies: number };
  readonly at: number;
}

export interface ThreadComment {
  readonly id: string;
  readonly author: string;
  /** Did the agent of the session write it? Such a reply is never sent back to it. */
  readonly byAgent: boolean;
  /** As that of a review. */
  readonly access?: "write" | "none";
  readonly text: StoredText;
  readonly at: number;
}

/** A comment at a line, or about the whole (no path), with its replies. */
export interface Thread {
  readonly id: string;
  readonly reviewId: string;
  readonly path: string | null;
  readonly line: number | null;
  readonly comments: readonly ThreadComment[];
  readonly resolvedBy: string | null;
}

/** A place in the merge queue of a forge, which merges what is in it. */
export interface QueuePlace {
  /** What people call it: `GitHub's merge queue`. */
  readonly name: string;
  /** From 1; null: not known. */
  readonly position: number | null;
  /** The forge's id of the last time it was removed before; another one is news. */
  readonly removal: string | null;
}

/** A request to merge one commit; it waits until nothing blocks it. */
export interface MergeRequest {
  readonly by: string;
  readonly strategy: MergeStrategy;
  readonly deleteAfter: boolean;
  /** Only this commit; a newer one makes the request void. */
  readonly head: string;
  /** Why it waits; null: it does not. */
  readonly reason: string | null;
  readonly files: readonly string[];
  readonly notBefore: number;
  /** How often it had to wait. */
  readonly holds: number;
  /** A person's reason to merge against the project's own rules; absent: they count. */
  readonly override?: string;
  /** It waits for a time that the policy sets, which is nobody's problem. */
  readonly isPlanned?: boolean;
  /** The forge's own queue has it; absent: it is in none. */
  readonly queue?: QueuePlace;
  /** The merge itself has begun, so that nobody can take it back. Absent in states of older versions. */
  readonly isUnderWay?: boolean;
  readonly at: number;
}

/** Why the merge train gave a pull request back: green alone, red on the newest base. */
export interface Rejection {
  readonly head: string;
  /** The base, and the commit that the merge would have made of it. */
  readonly base: string;
  readonly commit: string;
  /** Numbers of the pull requests that were merged since its branch left the base. */
  readonly since: readonly number[];
  readonly check: string;
  readonly state: "failed" | "timed-out";
  readonly code: number | null;
  readonly log: StoredText | null;
  readonly fingerprint: string;
}

/** How much a pull request changes against its base. */
export interface ChangeSize {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  /** The changed files; fewer than `files` when there are very many. */
  readonly paths: readonly string[];
}

export interface MergeFacts {
  readonly kind: "clean" | "conflict" | "unknown";
  /** For these two commits. */
  readonly head: string;
  readonly baseHead: string;
  readonly files: readonly string[];
  readonly reason: string | null;
  /** null: it could not be measured; absent: no policy asked for it. */
  readonly size?: ChangeSize | null;
}

/** When something is tried again, after so many tries. */
export interface HeldBack {
  readonly notBefore: number;
  readonly count: number;
}

/** Something said or done here that the forge is to have too. `about`: what the forge's word is old about until then. */
export type ForgeWrite = {
  readonly id: string;
  readonly about: string;
  /** The forge could not be reached; absent: it was not tried yet. */
  readonly held?: HeldBack;
} & (
  | {
      readonly kind: "reply";
      readonly threadId: string;
      readonly commentId: string;
      readonly author: string;
      readonly text: StoredText;
    }
  | { readonly kind: "resolve"; readonly threadId: string; readonly resolved: boolean }
  | { readonly kind: "comment"; readonly commentId: string; readonly author: string; readonly text: StoredText }
  | { readonly kind: "label"; readonly add: readonly string[]; readonly remove: readonly string[] }
  | { readonly kind: "rerun"; readonly check: string; readonly ref: string }
  | { readonly kind: "close" }
  /** Somebody who requested changes is asked for another review. */
  | { readonly kind: "request-review"; readonly reviewer: string }
  /** A draft becomes ready for review. */
  | { readonly kind: "ready" }
  /** It leaves the forge's merge queue. */
  | { readonly kind: "dequeue" }
);

/** A pull request on a forge elsewhere: what `ao` pushed, what it saw, and what it has yet to write. */
export interface ForgeFacts {
  /** The commit that was pushed last. */
  readonly published: string;
  /** Where commits are pushed to; absent: to the branch of the same name. */
  readonly fork?: ForkBranch;
  /** Pushes that ended, however they did. */
  readonly pushes: number;
  /** Why a commit could not be pushed, and when that is tried again. */
  readonly failure: {
    readonly head: string;
    readonly reason: string;
    readonly notBefore: number;
    readonly count: number;
  } | null;
  /** A commit of the branch that somebody else pushed, and that is not in ours. */
  readonly foreign: string | null;
  /** The forge's own time of what was last seen. */
  readonly version: string;
  readonly seen: {
    readonly head: string;
    readonly required: readonly string[];
    readonly blocked: string | null;
    /** Does the forge know its checks? */
    readonly isChecked: boolean;
    /** Nobody is to review or merge it yet. */
    readonly isDraft?: true;
  } | null;
  /** `ao` opened it as a draft, and marks it as ready once its checks pass; absent: it did not, or somebody has. */
  readonly isOwnDraft?: true;
  readonly writes: readonly ForgeWrite[];
  /** How many there were; gives each an id of its own. */
  readonly written: number;
}

export const CHANGE_PHASES = ["open", "merged", "closed"] as const;

export type ChangePhase = (typeof CHANGE_PHASES)[number];

/** One pull request. */
export interface ChangeState {
  /** `<project>/<number>`. */
  readonly key: string;
  readonly projectId: string;
  readonly number: number;
  readonly sessionId: string | null;
  readonly issue: string | null;
  readonly title: string;
  readonly body: StoredText | null;
  readonly branch: string;
  readonly base: string;
  readonly head: string;
  readonly openedBy: string;
  /** Its page on the forge; absent: it has none. */
  readonly url?: string;
  /** Absent: branches, checks and reviews are here. */
  readonly forge?: ForgeFacts;
  readonly phase: ChangePhase;
  /** Of the current head; a newer commit begins with none. */
  readonly checks: Readonly<Record<string, CheckRun>>;
  /** Commits that it had before, with the last attempt of a check there: one that comes back is checked anew. */
  readonly attempts: Readonly<Record<string, number>>;
  readonly reviews: readonly Review[];
  readonly threads: readonly Thread[];
  readonly labels: readonly string[];
  readonly mergeability: MergeFacts | null;
  /** How often that was found out. */
  readonly tries: number;
  readonly mergeRequest: MergeRequest | null;
  /** The last try to merge that did not work, and how many there were. */
  readonly refusal: {
    readonly reason: string;
    readonly head: string;
    /** The merge queue that found it faulty, by its name: the agent can mend that; absent: `ao` or the forge would not merge it. */
    readonly queue?: string;
    readonly at: number;
  } | null;
  readonly refusals: number;
  /** A person took the requested merge of this commit back: it is not requested again without one. Absent in states of older versions. */
  readonly mergeCancelled?: { readonly by: string; readonly head: string } | null;
  /** The merge train found it red on the newest base; absent: it did not. Kept when a newer commit comes, until that is merged. */
  readonly rejection?: Rejection;
  readonly merged: {
    readonly commit: string;
    readonly baseBefore: string;
    readonly by: string;
    readonly strategy: MergeStrategy;
    readonly deleteAfter: boolean;
    readonly at: number;
  } | null;
  /** What became of the branch and the issue after the merge; null: not done yet. */
  readonly branchFate: string | null;
  readonly issueFate: string | null;
  /** The tracker could not be reached; absent: it was not tried yet. */
  readonly issueHeld?: HeldBack;
  readonly problems: Problems;
  /** Its agent has read words of somebody who is not trusted; absent: it has not. */
  readonly readUntrusted?: UntrustedRead;
  /** Commands of rules that are not over; absent: none, and so in older logs. */
  readonly commands?: readonly CommandRun[];
  /** How many messages were made for its problems; gives each an id of its own. */
  readonly reactions: number;
  readonly openedAt: number;
  readonly updatedAt: number;
  /** When it left the live model; absent: it is in it. */
  readonly archivedAt?: number;
}

/** Reviews, threads and labels that a change may have; more are refused. */
export const MAX_REVIEWS = 200;
export const MAX_THREADS = 500;
export const MAX_REPLIES = 100;
export const MAX_LABELS = 50;
/** Earlier commits that are remembered. */
export const MAX_HEADS = 100;
