import type { FailureDetails } from "./cause/read-failure.ts";
import type { QueuePlace } from "./change/merge-request.ts";
import type { ChangeSize, CheckState } from "./change/state.ts";
import type { MergeStrategy } from "./merge/strategy.ts";
import type { LineCount, Uncommitted } from "./session/state.ts";
import type { StreamId } from "./stream.ts";
import type { StoredText } from "./text.ts";
import type { Car } from "./train/state.ts";

/**
 * A decided effect: recorded with its cause, marked as started before the first byte leaves, reconciled after a crash.
 */
export interface Intent {
  /** Derived from its purpose, never from a log position; the same purpose always gives the same id. */
  readonly id: string;
  readonly stream: StreamId;
  /** Effects of one lane run one after another. */
  readonly lane: string;
  readonly spec: IntentSpec;
}

export type IntentSpec =
  | {
      readonly kind: "create-workspace";
      readonly sessionId: string;
      readonly generation: number;
      readonly restore: boolean;
    }
  | { readonly kind: "start-run"; readonly sessionId: string; readonly run: number; readonly messageId: string | null }
  | {
      readonly kind: "send-message";
      readonly sessionId: string;
      readonly run: number;
      readonly messageId: string;
      readonly attempt: number;
    }
  | { readonly kind: "end-run"; readonly sessionId: string; readonly run: number }
  /** Of its sandbox's list, a run reaches only these hosts from now on; null: all of them again. */
  | {
      readonly kind: "restrict-network";
      readonly sessionId: string;
      readonly run: number;
      readonly hosts: readonly string[] | null;
    }
  | { readonly kind: "remove-workspace"; readonly sessionId: string; readonly generation: number }
  /** How the branch compares to its base after this many turns. */
  | { readonly kind: "read-branch"; readonly sessionId: string; readonly turn: number }
  /** A pull request for this commit of the session's branch. */
  | {
      readonly kind: "open-change";
      readonly sessionId: string;
      readonly head: string;
      readonly base: string;
      readonly issue: string | null;
      readonly title: string;
      readonly body: StoredText | null;
      readonly by: string;
    }
  | {
      readonly kind: "run-check";
      readonly changeKey: string;
      readonly check: string;
      readonly head: string;
      readonly attempt: number;
    }
  /** Opens a local pull request on the forge. */
  | { readonly kind: "transfer-change"; readonly changeKey: string; readonly head: string }
  /** Pushes a newer commit of the branch to the forge. */
  | { readonly kind: "publish-change"; readonly changeKey: string; readonly head: string }
  /** Writes to the forge what was said or done locally. */
  | { readonly kind: "write-change"; readonly changeKey: string; readonly writeId: string }
  | {
      readonly kind: "try-merge";
      readonly changeKey: string;
      readonly head: string;
      readonly baseHead: string;
      /** A policy depends on the size of the change. */
      readonly measure?: boolean;
      /** The merged commit of the pull request that it was stacked on. */
      readonly landed?: string;
    }
  | {
      readonly kind: "merge-change";
      readonly changeKey: string;
      readonly head: string;
      readonly strategy: MergeStrategy;
      /**
       * Exactly this commit, onto exactly this base, as the merge train checked it; absent: whatever the merge gives.
       */
      readonly exact?: ExactMerge;
    }
  /** Builds the merges of a batch, each on top of the one before. */
  | {
      readonly kind: "build-train";
      readonly projectId: string;
      readonly batch: number;
      readonly base: string;
      readonly cars: readonly Car[];
    }
  /** What was built for a batch that is over need not be kept. */
  | { readonly kind: "release-train"; readonly projectId: string; readonly batch: number }
  /** A check on a commit of the project itself. */
  | {
      readonly kind: "check-commit";
      readonly projectId: string;
      readonly commit: string;
      readonly check: string;
      readonly attempt: number;
    }
  /** A shell command that a rule wants to run for a pull request, or for a session. */
  | { readonly kind: "run-command"; readonly changeKey: string; readonly commandId: string }
  | { readonly kind: "run-command"; readonly sessionId: string; readonly commandId: string }
  /** Reverts the merge of a pull request, and reopens its issue. */
  | {
      readonly kind: "revert-merge";
      readonly projectId: string;
      readonly key: string;
      readonly commit: string;
      readonly check: string;
    }
  | { readonly kind: "close-issue"; readonly changeKey: string; readonly issue: string }
  | { readonly kind: "delete-branch"; readonly changeKey: string; readonly head: string }
  | {
      readonly kind: "notify";
      readonly notifier: string;
      readonly noticeIds: readonly string[];
      readonly urgent: boolean;
    };

/** A merge that was built earlier: the base moves from one commit to the other, or not at all. */
export interface ExactMerge {
  readonly base: string;
  readonly commit: string;
}

export type IntentKind = IntentSpec["kind"];

/** They change nothing, so they are simply executed again after a crash. */
const READING: readonly IntentKind[] = ["read-branch", "try-merge"];

/** Must the disk have it before this effect begins that it was started? */
export function mustStartOnDisk({ kind }: IntentSpec): boolean {
  return !READING.includes(kind);
}

/** Effects for one session. */
export type SessionSpec = Extract<IntentSpec, { readonly sessionId: string }>;

/** Effects for one change. */
export type ChangeSpec = Extract<IntentSpec, { readonly changeKey: string }>;

/** Effects for one project. */
export type ProjectSpec = Extract<IntentSpec, { readonly projectId: string }>;

/** A message to one notifier. */
export type NotifySpec = Extract<IntentSpec, { readonly kind: "notify" }>;

/** What an executor reports; it returns to the loop as an input. */
export type IntentOutcome =
  | {
      readonly kind: "workspace-created";
      readonly path: string;
      readonly branch: string;
      readonly head: string;
      readonly baseCommit: string;
      readonly restoredFrom: string | null;
      readonly notes: readonly string[];
    }
  | { readonly kind: "workspace-removed"; readonly preservedRef: string | null }
  | { readonly kind: "workspace-kept"; readonly reason: string }
  | { readonly kind: "run-started"; readonly pid: number }
  | { readonly kind: "run-ended"; readonly code: number | null; readonly evidence: string }
  /** The run's proxy enforces it. */
  | { readonly kind: "network-restricted" }
  /** In the agent's inbox or terminal. */
  | { readonly kind: "message-written" }
  /** Not tried, because it must wait (a person is typing, a question is open). */
  | { readonly kind: "message-held"; readonly reason: string }
  /** null: no such branch. */
  | { readonly kind: "branch-read"; readonly facts: BranchReading | null }
  /** The number and URL come from the forge; an existing one counts too. */
  | {
      readonly kind: "change-opened";
      readonly number: number;
      readonly url: string | null;
      /** The branch was pushed to a remote forge. */
      readonly isRemote?: true;
      /** It was opened as a draft. */
      readonly isDraft?: true;
    }
  | { readonly kind: "change-published" }
  /** The forge has a commit on the branch that ours lacks. */
  | { readonly kind: "change-diverged"; readonly head: string }
  | { readonly kind: "change-written" }
  | ({
      readonly kind: "check-ended";
      readonly state: Exclude<CheckState, "queued" | "running">;
      readonly code: number | null;
      readonly log: StoredText | null;
      readonly fingerprint: string;
      readonly tookMs: number | null;
    } & FailureDetails)
  | {
      readonly kind: "merge-tried";
      readonly result: "clean" | "conflict" | "unknown";
      readonly files: readonly string[];
      readonly reason: string | null;
      readonly size?: ChangeSize | null;
      /** The branch's last commit from the merged pull request below it; absent: its base has them all. */
      readonly startsAfter?: string;
    }
  | { readonly kind: "merged"; readonly commit: string; readonly baseBefore: string }
  | {
      readonly kind: "train-built";
      /** The first pull requests of the batch, up to the one that conflicts. */
      readonly cars: readonly {
        readonly commit: string;
        readonly isHeadTree: boolean;
        /** Commits of the base since the branch left it, oldest first. */
        readonly since: readonly string[];
      }[];
      readonly conflicts: readonly string[];
      /** A ref keeps the commits until the batch is over. */
      readonly isKept?: true;
    }
  /** A commit that was built for a batch is gone: somebody pruned it. */
  | { readonly kind: "train-lost" }
  | { readonly kind: "train-released" }
  | {
      readonly kind: "merge-waits";
      readonly reason: string;
      readonly files: readonly string[];
      /** The forge asked for this pause. */
      readonly retryAfterMs?: number;
    }
  /** The forge or tracker cannot be reached now; it is retried. */
  | { readonly kind: "effect-held"; readonly reason: string; readonly retryAfterMs?: number }
  /** It is in the forge's own queue, which will merge it. */
  | ({ readonly kind: "merge-queued" } & QueuePlace)
  | { readonly kind: "merge-reverted"; readonly commit: string }
  /** The branch or the base has moved; the current state is included. */
  | { readonly kind: "merge-outdated"; readonly reason: string; readonly facts: BranchReading | null }
  | { readonly kind: "issue-settled"; readonly closed: boolean; readonly reason: string }
  | { readonly kind: "branch-settled"; readonly deleted: boolean; readonly reason: string }
  | { readonly kind: "command-ended"; readonly code: number; readonly reason: string }
  | { readonly kind: "notified" }
  | {
      readonly kind: "failed";
      readonly code: string;
      readonly message: string;
      readonly hint: string | null;
      /** The other side asked for this pause. */
      readonly retryAfterMs?: number | undefined;
    }
  /** It cannot be determined whether it happened; it is not retried. */
  | { readonly kind: "unknown"; readonly reason: string };

/** How a branch compares to its base. */
export interface BranchReading {
  readonly head: string;
  readonly baseHead: string;
  readonly ahead: number;
  /** Uncommitted changes in its workspace; null: none; absent: not checked. */
  readonly uncommitted?: Uncommitted | null;
  /** What it changes; absent: not counted. */
  readonly lines?: LineCount;
  /** Its base is the branch that it is stacked on, not the project's. */
  readonly isStacked?: true;
}

/** What a stream wants: the whole set of effects, those of one lane in the order they should run. */
export interface Wanted {
  readonly intents: readonly Intent[];
  /** When to check again although nothing happens; null: never. */
  readonly wakeAt: number | null;
}

export type IntentEvent =
  | { readonly type: "intent.recorded"; readonly id: string; readonly lane: string; readonly spec: IntentSpec }
  | { readonly type: "intent.started"; readonly id: string }
  | { readonly type: "intent.finished"; readonly id: string; readonly outcome: "done" | "failed" | "unknown" | "held" }
  | { readonly type: "intent.withdrawn"; readonly id: string };

/** The identity of an effect: stream, rule, occurrence and attempt, readable in a log and in AO_INTENT. */
export function intentId(stream: StreamId, rule: IntentKind, occurrence: string | number, attempt: number): string {
  return `${intentPrefix(stream, rule)}${occurrence}/${attempt}`;
}

/** The id prefix of all effects of one kind on a stream. */
export function intentPrefix(stream: StreamId, rule: IntentKind): string {
  return `${stream}/${rule}/`;
}

/** Why an effect did not achieve its purpose, in one sentence. */
export function describeFailure(outcome: IntentOutcome): string {
  if (outcome.kind === "failed") return outcome.hint === null ? outcome.message : `${outcome.message} ${outcome.hint}`;
  if (outcome.kind === "unknown") return outcome.reason;
  return `unexpected outcome ${outcome.kind}`;
}
