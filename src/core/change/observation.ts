import type { StoredText } from "../text.ts";
import type { ChangeState, CheckState, Verdict } from "./state.ts";

/** A check that the forge ran. */
export interface ReportedCheck<T = StoredText> {
  readonly name: string;
  /** The forge's own id of this run; another one is another attempt. */
  readonly ref: string;
  readonly state: Exclude<CheckState, "queued" | "setup-failed">;
  readonly url: string | null;
  /** The step that failed and the end of its log; null: not read, or there is none. */
  readonly log: T | null;
  readonly tookMs: number | null;
}

export interface ReportedComment<T = StoredText> {
  readonly id: string;
  readonly author: string;
  /** `ao` wrote it itself, for the agent. */
  readonly byAgent: boolean;
  /** May its author write to the repository? Absent: yes. */
  readonly access?: "write" | "none";
  readonly text: T;
}

/** A thread with all of its comments, the oldest first. */
export interface ReportedThread<T = StoredText> {
  readonly id: string;
  readonly path: string | null;
  readonly line: number | null;
  readonly resolvedBy: string | null;
  /** It cannot be resolved on the forge; that it is open there says nothing then. */
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
  /** May its author write to the repository? Absent: yes. */
  readonly access?: "write" | "none";
  readonly body: T | null;
  /** The commit that was looked at. */
  readonly head: string;
  /** Those that it began. */
  readonly threads: readonly ReportedThread<T>[];
}

/** A pull request as a forge shows it. Its texts are strings there, and stored ones in the core. */
export interface ChangeObservation<T = StoredText> {
  readonly number: number;
  /** The forge's own time of its last change; an older one than the last says nothing. */
  readonly version: string;
  readonly state: "open" | "merged" | "closed";
  /** Its page, which moves when the repository is renamed; absent: not known. */
  readonly url?: string;
  /** Who merged or closed it; null: open, or not known. */
  readonly by: string | null;
  /** The commit that it became part of the base by; null: it is not merged. */
  readonly mergeCommit: string | null;
  readonly head: string;
  /** The commit of the base now. */
  readonly baseHead: string;
  /** null: the forge does not know yet which checks there are. */
  readonly checks: readonly ReportedCheck<T>[] | null;
  readonly reviews: readonly ReportedReview<T>[];
  readonly labels: readonly string[];
  /** Checks that the forge itself demands before a merge. */
  readonly required: readonly string[];
  /** Why the forge would not merge it, beside checks, conflicts and approvals; null: it would. */
  readonly blocked: string | null;
  /** A draft, which nobody is to review or merge yet; absent: it is none. */
  readonly isDraft?: boolean;
  /** Its place in the forge's merge queue; absent: there is none, or nobody asked. */
  readonly queue?: ReportedQueue;
}

export interface ReportedQueue {
  /** From 1; null: it is not in the queue. */
  readonly position: number | null;
  /** The last time that it was removed without being merged; null: never. */
  readonly removal: {
    readonly id: string;
    /** failure: its checks failed there, or it conflicts. person: somebody took it out. */
    readonly cause: "failure" | "person" | "other";
    readonly reason: string;
  } | null;
}

/** Checks of an observation that are red, and were not when the log last heard of them. */
export function newlyRed<T>(change: ChangeState, seen: ChangeObservation<T>): readonly ReportedCheck<T>[] {
  if (seen.head !== change.head) return [];
  return (seen.checks ?? []).filter((check) => {
    const known = change.checks[check.name];
    const isRed = check.state === "failed" || check.state === "timed-out";
    return isRed && (known?.ref !== check.ref || known.state !== check.state);
  });
}
