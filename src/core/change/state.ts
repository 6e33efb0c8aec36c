import type { Attribution, EarlierFailures } from "../cause/attribution.ts";
import type { FailureDetails } from "../cause/read-failure.ts";
import type { CommandRun } from "../command/command-run.ts";
import type { HeldFacts } from "../held/held.ts";
import type { Merged } from "../merge/proof.ts";
import type { Problems } from "../reaction/problem.ts";
import type { UntrustedRead } from "../reaction/untrusted.ts";
import type { Landed, Parent } from "../stack/parent.ts";
import type { StoredText } from "../text.ts";
import type { ForkBranch } from "./found-change.ts";
import type { MergeRequest, Rejection } from "./merge-request.ts";
import type { TransferRequest } from "./transfer-request.ts";

/** State of a check. cancelled: replaced by a newer commit. unknown: its result was lost; a person may re-run it. */
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

export interface CheckRun extends FailureDetails {
  readonly name: string;
  readonly head: string;
  /** Increases when it is requested again on the same commit. */
  readonly attempt: number;
  readonly state: CheckState;
  readonly code: number | null;
  /** The end of its log. */
  readonly log: StoredText | null;
  /** Distinguishes one failure from another on the same commit. */
  readonly fingerprint: string;
  readonly tookMs: number | null;
  /** For a check that the forge ran: its id there, and its page. */
  readonly ref?: string;
  readonly url?: string;
  /** Absent: it did not fail on this commit before. */
  readonly earlier?: EarlierFailures;
  /** While it is to run again: its result until then. Absent in states of older versions. */
  readonly beforeRerun?: Pick<CheckRun, "state" | "attribution">;
  /** How many earlier attempts ended without a result; absent: none. */
  readonly voided?: number;
  /** Whose failure it is; absent: it is not red, or that is not known yet. */
  readonly attribution?: Attribution;
  readonly at: number;
}

export type Verdict = "approve" | "request-changes" | "comment";

export interface Review {
  readonly id: string;
  readonly author: string;
  readonly verdict: Verdict;
  readonly body: StoredText | null;
  /** The reviewed commit. */
  readonly head: string;
  /** A program wrote it. */
  readonly isBot?: true;
  /** Does its author have write access on the forge? Absent: it was given locally, or in an older log. */
  readonly access?: "write" | "none";
  /** Someone dismissed it on the forge. */
  readonly isDismissed?: true;
  /** Its author was asked for another review of this commit, after this many replies; absent: not yet. */
  readonly requestedAgain?: { readonly head: string; readonly replies: number };
  readonly at: number;
}

export interface ThreadComment {
  readonly id: string;
  readonly author: string;
  /** Did the session's agent write it? Such a reply is never sent back to it. */
  readonly byAgent: boolean;
  /** As for a review. */
  readonly access?: "write" | "none";
  readonly text: StoredText;
  readonly at: number;
}

/** A comment on a line, or on the whole (no path), with its replies. */
export interface Thread {
  readonly id: string;
  readonly reviewId: string;
  readonly path: string | null;
  readonly line: number | null;
  readonly comments: readonly ThreadComment[];
  readonly resolvedBy: string | null;
}

/** The size of a pull request's changes against its base. */
export interface ChangeSize {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  /** The changed files; fewer than `files` if there are very many. */
  readonly paths: readonly string[];
  /** Absent: nothing was held when it was measured, as in older logs. */
  readonly held?: HeldFacts;
}

export interface MergeFacts {
  readonly kind: "clean" | "conflict" | "unknown";
  /** For these two commits. */
  readonly head: string;
  readonly baseHead: string;
  readonly files: readonly string[];
  readonly reason: string | null;
  /** null: could not be measured; absent: no policy needed it. */
  readonly size?: ChangeSize | null;
  /** The branch's last commit from the merged pull request below it; absent: its base has them all. */
  readonly startsAfter?: string;
}

/** When something is retried, after how many attempts. */
export interface HeldBack {
  readonly notBefore: number;
  readonly count: number;
}

/** Something said or done locally, to be written to the forge. `about`: what the forge is outdated about until then. */
export type ForgeWrite = {
  readonly id: string;
  readonly about: string;
  /** The forge could not be reached; absent: not tried yet. */
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
  /** Asks someone who requested changes for another review. */
  | { readonly kind: "request-review"; readonly reviewer: string }
  /** A draft becomes ready for review. */
  | { readonly kind: "ready" }
  /** It leaves the forge's merge queue. */
  | { readonly kind: "dequeue" }
);

/** A pull request on a remote forge: what `ao` pushed, what it saw, and what it has yet to write. */
export interface ForgeFacts {
  /** The commit that was pushed last. */
  readonly published: string;
  /** Where to push commits; absent: to the branch with the same name. */
  readonly fork?: ForkBranch;
  /** Pushes that ended, however they did. */
  readonly pushes: number;
  /** Why a commit could not be pushed, and when that is retried. */
  readonly failure: {
    readonly head: string;
    readonly reason: string;
    readonly notBefore: number;
    readonly count: number;
  } | null;
  /** Someone else's commit on the branch that ours does not contain. */
  readonly foreign: string | null;
  /** The forge's time of what was last seen. */
  readonly version: string;
  readonly seen: {
    readonly head: string;
    readonly required: readonly string[];
    readonly blocked: string | null;
    /** Does the forge know its checks? */
    readonly isChecked: boolean;
    /** It is not yet for review or merging. */
    readonly isDraft?: true;
  } | null;
  /** `ao` opened it as a draft, and marks it as ready once its checks pass; absent: it did not, or it is ready. */
  readonly isOwnDraft?: true;
  readonly writes: readonly ForgeWrite[];
  /** How many there were; gives each its id. */
  readonly written: number;
}

export const CHANGE_PHASES = ["open", "merged", "closed"] as const;

export type ChangePhase = (typeof CHANGE_PHASES)[number];

/** One pull request. */
export interface ChangeState {
  /** Its identity, which never changes: `<project>/<number>` by the number that it was opened with (`key.ts` has the exception). */
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
  /** The work whose branch is its base until that is merged; absent: its base is the project's. */
  readonly stackedOn?: Parent;
  /** The merged pull request that it was stacked on before; absent: none. */
  readonly landed?: Landed;
  readonly openedBy: string;
  /** Its page on the forge; absent: it has none. */
  readonly url?: string;
  /** Absent: branches, checks and reviews are local. */
  readonly forge?: ForgeFacts;
  /** Somebody wants it on the forge of its project; absent: nobody does, or it is there. */
  readonly transfer?: TransferRequest;
  readonly phase: ChangePhase;
  /** For the current head; a newer commit starts with none. */
  readonly checks: Readonly<Record<string, CheckRun>>;
  /** Earlier commits, with the last attempt of a check there: one that comes back is checked again. */
  readonly attempts: Readonly<Record<string, number>>;
  readonly reviews: readonly Review[];
  readonly threads: readonly Thread[];
  readonly labels: readonly string[];
  readonly mergeability: MergeFacts | null;
  /** How often that was determined. */
  readonly tries: number;
  readonly mergeRequest: MergeRequest | null;
  /** The last failed attempt to merge, and how many there were. */
  readonly refusal: {
    readonly reason: string;
    readonly head: string;
    /** The merge queue that found it faulty, which the agent can fix; absent: `ao` or the forge rejected it. */
    readonly queue?: string;
    readonly check?: { readonly name: string; readonly log: StoredText | null };
    readonly at: number;
  } | null;
  readonly refusals: number;
  /** How often a merge was requested. Absent in states of older versions, which did not count. */
  readonly mergeRequests?: number;
  /** A person canceled the requested merge of this commit, so no rule requests it again. Absent in older states. */
  readonly mergeCancelled?: { readonly by: string; readonly head: string } | null;
  /** The merge train found it red on the newest base; absent: it did not. Kept until a newer commit is merged. */
  readonly rejection?: Rejection;
  readonly merged: Merged | null;
  /** What happened to the branch and the issue after the merge; null: not done yet. */
  readonly branchFate: string | null;
  readonly issueFate: string | null;
  /** The tracker could not be reached; absent: not tried yet. */
  readonly issueHeld?: HeldBack;
  readonly problems: Problems;
  /** Its agent has read an untrusted person's words; absent: it has not. */
  readonly readUntrusted?: UntrustedRead;
  /** Running or pending commands of rules; absent: none, as in older logs. */
  readonly commands?: readonly CommandRun[];
  /** How many messages were created for its problems; gives each its id. */
  readonly reactions: number;
  readonly openedAt: number;
  readonly updatedAt: number;
  /** When it left the live model; absent: it is live. */
  readonly archivedAt?: number;
}
