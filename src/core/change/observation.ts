import type { FailureDetails } from "../cause/read-failure.ts";
import type { StoredText } from "../text.ts";
import type { ChangeState, CheckState, Verdict } from "./state.ts";

/** A check that the forge ran. */
export interface ReportedCheck<T = StoredText> extends FailureDetails {
  readonly name: string;
  /** The forge's id of this run; a different id is another attempt. */
  readonly ref: string;
  readonly state: Exclude<CheckState, "queued" | "setup-failed">;
  readonly url: string | null;
  /** The failed step and the end of its log; null: not read, or none. */
  readonly log: T | null;
  /** The same for the same failure; absent: no log was read. */
  readonly fingerprint?: string;
  readonly tookMs: number | null;
}

export interface ReportedComment<T = StoredText> {
  readonly id: string;
  readonly author: string;
  /** `ao` wrote it, for the agent. */
  readonly byAgent: boolean;
  /** Does its author have write access to the repository? Absent: yes. */
  readonly access?: "write" | "none";
  readonly text: T;
}

/** A thread with all of its comments, oldest first. */
export interface ReportedThread<T = StoredText> {
  readonly id: string;
  readonly path: string | null;
  readonly line: number | null;
  readonly resolvedBy: string | null;
  /** It cannot be resolved on the forge; being open there then means nothing. */
  readonly isResolvable?: false;
  readonly comments: readonly ReportedComment<T>[];
}

export interface ReportedReview<T = StoredText> {
  readonly id: string;
  readonly author: string;
  readonly verdict: Verdict;
  readonly isDismissed: boolean;
  /** A program wrote it, such as a review app. */
  readonly isBot?: true;
  /** Does its author have write access to the repository? Absent: yes. */
  readonly access?: "write" | "none";
  readonly body: T | null;
  /** The reviewed commit. */
  readonly head: string;
  /** The threads it started. */
  readonly threads: readonly ReportedThread<T>[];
}

/** A pull request as a forge shows it. Its texts are strings there, and stored texts in the core. */
export interface ChangeObservation<T = StoredText> {
  readonly number: number;
  /** The forge's time of its last change; an older one than the last is ignored. */
  readonly version: string;
  readonly state: "open" | "merged" | "closed";
  /** Its page, which changes if the repository is renamed; absent: unknown. */
  readonly url?: string;
  /** Who merged or closed it; null: open, or not known. */
  readonly by: string | null;
  /** The commit with which it was merged into the base; null: not merged. */
  readonly mergeCommit: string | null;
  readonly head: string;
  /** What `ao` had pushed last when the read began; absent: unknown. */
  readonly publishedBefore?: string | null;
  /** The branch that it goes into; absent: the forge does not say. */
  readonly base?: string;
  /** The current commit of the project's default branch. */
  readonly baseHead: string;
  /** null: the forge does not know the checks yet. */
  readonly checks: readonly ReportedCheck<T>[] | null;
  /** Checks on the current commit of the base; absent: the forge does not show them. */
  readonly baseChecks?: readonly ReportedCheck<T>[];
  readonly reviews: readonly ReportedReview<T>[];
  readonly labels: readonly string[];
  /** Checks that the forge itself requires for a merge. */
  readonly required: readonly string[];
  /** Why the forge would not merge it, apart from checks, conflicts and approvals; null: it would. */
  readonly blocked: string | null;
  /** A draft, not yet for review or merging; absent: not a draft. */
  readonly isDraft?: boolean;
  /** Its place in the forge's merge queue; absent: no queue, or not requested. */
  readonly queue?: ReportedQueue<T>;
}

export interface ReportedQueue<T = StoredText> {
  /** From 1; null: it is not in the queue. */
  readonly position: number | null;
  /** The last time it was removed without being merged; null: never. */
  readonly removal: {
    readonly id: string;
    /** failure: its checks failed there, or it conflicts. person: someone removed it. */
    readonly cause: "failure" | "person" | "other";
    readonly reason: string;
    /** The check that failed there; absent: unknown, or none did. */
    readonly check?: ReportedCheck<T>;
  } | null;
}

/** The check that failed in the merge queue, if the log does not know of that removal yet. */
export function failedInQueue<T>(
  { mergeRequest }: ChangeState,
  { queue }: ChangeObservation<T>,
): ReportedCheck<T> | null {
  const [known, removal] = [mergeRequest?.queue, queue?.removal ?? null];
  return known === undefined || removal === null || removal.id === known.removal ? null : (removal.check ?? null);
}

/** Checks of an observation that have turned red since the log's last record of them. */
export function newlyRed<T>(change: ChangeState, seen: ChangeObservation<T>): readonly ReportedCheck<T>[] {
  if (seen.head !== change.head) return [];
  return (seen.checks ?? []).filter((check) => {
    const known = change.checks[check.name];
    return isReportedRed(check) && (known?.ref !== check.ref || known.state !== check.state);
  });
}

/** Has it failed, rather than not run? */
export function isReportedRed({ state }: ReportedCheck<unknown>): boolean {
  return state === "failed" || state === "timed-out";
}
