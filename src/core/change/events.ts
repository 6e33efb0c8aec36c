import type { Attribution } from "../cause/attribution.ts";
import type { FailureDetails } from "../cause/read-failure.ts";
import type { CommandEvent } from "../command/command-run.ts";
import type { IntentEvent } from "../intent.ts";
import type { MergeProof } from "../merge/proof.ts";
import type { MergeStrategy } from "../merge/strategy.ts";
import type { ProblemEvent } from "../reaction/problem.ts";
import type { UntrustedEvent } from "../reaction/untrusted.ts";
import type { Landed, Parent } from "../stack/parent.ts";
import type { StoredText } from "../text.ts";
import type { ForkBranch } from "./found-change.ts";
import type { QueuePlace, Rejection } from "./merge-request.ts";
import type { CheckState, ForgeFacts, ForgeWrite, MergeFacts, Verdict } from "./state.ts";

/** Everything that can have happened to a change (a pull request). docs/lifecycle.md has a row for each. */
export type ChangeEvent =
  | {
      readonly type: "change.opened";
      readonly projectId: string;
      readonly number: number;
      /** Absent: `<project>/<number>`. */
      readonly key?: string;
      readonly sessionId: string | null;
      readonly issue: string | null;
      readonly title: string;
      readonly body: StoredText | null;
      readonly branch: string;
      readonly base: string;
      readonly head: string;
      readonly by: string;
      /** Its page on the forge; absent: it has none. */
      readonly url?: string;
      /** The branch was pushed to a remote forge, which reports checks and reviews. */
      readonly isRemote?: true;
      /** `ao` opened it as a draft. */
      readonly isDraft?: true;
      /** Its branch is in a fork; absent: it is not, as in older logs. */
      readonly fork?: ForkBranch;
      /** Its base is the branch of other work that is not merged yet. */
      readonly stackedOn?: Parent;
      /** The merged pull request that its branch was stacked on. */
      readonly landed?: Landed;
    }
  /** The work that it is stacked on has a pull request now, a new commit, or will not be merged. */
  | { readonly type: "change.stacked"; readonly on: Parent }
  /** Its base is the project's default branch from now on. */
  | { readonly type: "change.retargeted"; readonly base: string; readonly by: string; readonly landed?: Landed }
  | { readonly type: "change.reopened"; readonly by: string }
  | { readonly type: "change.transfer-requested"; readonly by: string }
  | { readonly type: "change.transfer-failed"; readonly reason: string }
  | {
      readonly type: "change.transferred";
      /** The forge's. */
      readonly number: number;
      readonly url?: string;
      /** The commit that was pushed. */
      readonly head: string;
      readonly isDraft?: true;
    }
  | { readonly type: "change.updated"; readonly head: string }
  | { readonly type: "change.closed"; readonly by: string; readonly reason: string }
  | { readonly type: "change.published"; readonly head: string }
  | {
      readonly type: "change.publish-failed";
      readonly head: string;
      readonly reason: string;
      readonly notBefore: number;
    }
  | { readonly type: "change.diverged"; readonly head: string }
  | ({
      readonly type: "change.observed";
      readonly version: string;
      /** Its new page. */
      readonly url?: string;
    } & NonNullable<ForgeFacts["seen"]>)
  | { readonly type: "change.write-queued"; readonly write: ForgeWrite }
  | {
      readonly type: "change.write-held";
      readonly id: string;
      readonly reason: string;
      readonly notBefore: number;
    }
  | { readonly type: "change.write-settled"; readonly id: string; readonly reason: string | null }
  | {
      readonly type: "check.started";
      readonly name: string;
      readonly head: string;
      readonly attempt: number;
      readonly ref?: string;
      readonly url?: string;
    }
  | ({
      readonly type: "check.finished";
      readonly name: string;
      readonly head: string;
      readonly attempt: number;
      readonly state: Exclude<CheckState, "queued" | "running">;
      readonly code: number | null;
      readonly log: StoredText | null;
      readonly fingerprint: string;
      readonly tookMs: number | null;
      /** For one that the forge ran: its id there, and its page. */
      readonly ref?: string;
      readonly url?: string;
    } & FailureDetails)
  | { readonly type: "check.rerun-requested"; readonly name: string; readonly attempt: number; readonly by: string }
  /** Whose failure a red check is, or that it was flaky. */
  | ({
      readonly type: "check.attributed";
      readonly name: string;
      readonly head: string;
      readonly attempt: number;
    } & Attribution)
  | ({ readonly type: "change.tried" } & MergeFacts)
  | {
      readonly type: "review.given";
      readonly id: string;
      readonly author: string;
      readonly verdict: Verdict;
      readonly body: StoredText | null;
      readonly head: string;
      readonly isBot?: true;
      readonly access?: "write" | "none";
      readonly threads: readonly {
        readonly id: string;
        readonly commentId: string;
        readonly path: string | null;
        readonly line: number | null;
        readonly text: StoredText;
      }[];
    }
  | { readonly type: "review.dismissed"; readonly id: string }
  /** The agent has handled the review with this id, with a commit or only with replies. */
  | {
      readonly type: "review.requested";
      readonly id: string;
      readonly reviewer: string;
      readonly head: string;
      /** What people had replied in its threads by then. */
      readonly replies: number;
    }
  | {
      readonly type: "thread.replied";
      readonly threadId: string;
      /** For the first reply to a review's body, which starts its thread. */
      readonly reviewId?: string;
      readonly commentId: string;
      readonly author: string;
      readonly byAgent: boolean;
      readonly access?: "write" | "none";
      readonly text: StoredText;
    }
  | { readonly type: "thread.resolved"; readonly threadId: string; readonly by: string }
  | { readonly type: "thread.reopened"; readonly threadId: string; readonly by: string }
  | { readonly type: "label.added"; readonly label: string; readonly by: string }
  | { readonly type: "label.removed"; readonly label: string; readonly by: string }
  | {
      readonly type: "merge.requested";
      readonly by: string;
      readonly strategy: MergeStrategy;
      readonly deleteAfter: boolean;
      readonly head: string;
      /** A person's reason to override the project's own rules. */
      readonly override?: string;
    }
  | {
      readonly type: "merge.held";
      readonly reason: string;
      readonly files: readonly string[];
      readonly notBefore: number;
      /** For a time set by the policy. */
      readonly isPlanned?: boolean;
    }
  /** The time that the policy set is over, or the policy sets none now. */
  | { readonly type: "merge.released" }
  | ({ readonly type: "merge.queued" } & QueuePlace)
  | {
      readonly type: "merge.dequeued";
      /** The name of the queue. */
      readonly name: string;
      readonly reason: string;
      /** The queue found it faulty. */
      readonly isFailure: boolean;
      /** The check that failed there; absent: unknown, and so in older logs. */
      readonly check?: { readonly name: string; readonly log: StoredText | null };
    }
  /** `head`: the commit that was to be merged; absent in older logs, where it counts as the current one. */
  | { readonly type: "merge.refused"; readonly reason: string; readonly head?: string }
  /** The merge train found it red on the newest base. */
  | ({ readonly type: "merge.rejected" } & Rejection)
  | { readonly type: "merge.cancelled"; readonly by: string }
  | {
      readonly type: "change.merged";
      readonly commit: string;
      readonly baseBefore: string;
      readonly head: string;
      /** Who merged it on the forge; absent: `ao` did, for whoever requested it. */
      readonly by?: string;
      /** Why it was allowed; absent in older logs. */
      readonly proof?: MergeProof;
    }
  | { readonly type: "branch.settled"; readonly deleted: boolean; readonly reason: string }
  | { readonly type: "issue.held"; readonly reason: string; readonly notBefore: number }
  | { readonly type: "issue.settled"; readonly closed: boolean; readonly reason: string }
  | { readonly type: "change.archived" }
  | { readonly type: "change.unarchived" }
  | ProblemEvent
  | CommandEvent
  | UntrustedEvent
  | IntentEvent;
