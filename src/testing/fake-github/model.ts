import type { Hook } from "../fake-forge/webhooks.ts";

/** A GitHub server's records, as far as the fake has them. They are mutable: the server is their only owner. */
export interface Account {
  readonly id: number;
  readonly login: string;
  readonly type: "User" | "Bot" | "Organization";
  /** May read, comment and review, but is not a member of the repository. */
  readonly isOutsider?: boolean;
}

export interface Token {
  readonly value: string;
  readonly account: Account;
  readonly scopes: readonly string[];
  isRevoked: boolean;
  /** Of an App's installation: when it ends, and what it may do. */
  readonly expiresAt?: number;
  readonly permissions?: Readonly<Record<string, string>>;
  /** The ids of the only repositories that it is for; absent: all. */
  readonly repositories?: readonly number[];
}

/** A GitHub App; it is installed in all repositories of its account unless a test takes one out. */
export interface App {
  readonly id: number;
  readonly account: Account;
  /** In PEM. */
  readonly publicKey: string;
  readonly permissions: Readonly<Record<string, string>>;
  /** Names of repositories that it is not installed in. */
  readonly notIn: Set<string>;
  /** The ids of its installations, by the account that installed it. */
  readonly installations: Map<string, number>;
}

export interface Label {
  readonly id: number;
  name: string;
  color: string;
  description: string | null;
}

export interface Comment {
  readonly id: number;
  readonly author: Account;
  body: string;
  readonly createdAt: number;
  updatedAt: number;
}

/** An issue; a pull request is an issue with more fields. */
export interface Issue {
  readonly id: number;
  readonly number: number;
  readonly author: Account;
  title: string;
  body: string | null;
  state: "open" | "closed";
  stateReason: "completed" | "not_planned" | "reopened" | null;
  labels: Label[];
  assignees: Account[];
  readonly comments: Comment[];
  /** Issues of the same repository that block this one. */
  readonly blockedBy: Issue[];
  readonly createdAt: number;
  updatedAt: number;
  closedAt: number | null;
  /** A record that GitHub never sends: it replaces the answer, to test how a client handles it. */
  malformed?: unknown;
}

export type ReviewState = "APPROVED" | "CHANGES_REQUESTED" | "COMMENTED" | "DISMISSED" | "PENDING";

export interface Review {
  readonly id: number;
  readonly author: Account;
  state: ReviewState;
  body: string;
  readonly commit: string;
  readonly submittedAt: number;
}

export interface ThreadComment extends Comment {
  readonly reviewId: number | null;
}

/** Comments on one line of the diff. */
export interface Thread {
  readonly id: number;
  readonly path: string;
  readonly line: number;
  readonly commit: string;
  readonly comments: ThreadComment[];
  resolvedBy: Account | null;
}

export interface Pull extends Issue {
  readonly headRepository: Repository;
  readonly headBranch: string;
  baseBranch: string;
  /** The commit of the head branch when last read; kept when the branch is deleted. */
  head: string;
  isDraft: boolean;
  /** For one from a fork: its author allows maintainers to push to its branch. */
  maintainersMayEdit: boolean;
  mergedAt: number | null;
  mergedBy: Account | null;
  mergeCommit: string | null;
  /** When it left the merge queue, GitHub's reason, and the merge commit that the queue tried. */
  readonly removals: { readonly id: number; readonly reason: string; readonly tried: string | null }[];
  autoMerge: { readonly by: Account; readonly method: MergeMethod } | null;
  reviewers: Account[];
  readonly reviews: Review[];
  readonly threads: Thread[];
}

/** One rule of a ruleset, such as `merge_queue`. */
export interface Rule {
  readonly type: string;
  readonly parameters?: object;
}

export type MergeMethod = "merge" | "squash" | "rebase";

export type Conclusion =
  | "success"
  | "failure"
  | "neutral"
  | "cancelled"
  | "skipped"
  | "timed_out"
  | "action_required"
  | "stale";

export interface CheckRun {
  readonly id: number;
  readonly suiteId: number;
  readonly name: string;
  readonly commit: string;
  status: "queued" | "in_progress" | "completed";
  conclusion: Conclusion | null;
  output: { title: string | null; summary: string | null; text: string | null };
  detailsUrl: string | null;
  externalId: string;
  startedAt: number;
  completedAt: number | null;
}

export interface CommitStatus {
  readonly id: number;
  readonly commit: string;
  readonly context: string;
  readonly state: "error" | "failure" | "pending" | "success";
  readonly description: string | null;
  readonly targetUrl: string | null;
  readonly creator: Account;
  readonly createdAt: number;
}

export interface Step {
  readonly name: string;
  readonly number: number;
  readonly conclusion: Conclusion | null;
}

/** A job of a workflow; its check run has the same id, as on GitHub. */
export interface Job {
  readonly id: number;
  readonly runId: number;
  readonly attempt: number;
  /** The name of its workflow, and the event that started it. */
  readonly workflow: string;
  readonly event: string;
  readonly check: CheckRun;
  steps: readonly Step[];
  log: string;
}

export interface Protection {
  readonly approvals: number | null;
  readonly checks: readonly string[];
  readonly dismissStale: boolean;
  readonly requireConversationResolution: boolean;
}

export interface Repository {
  readonly id: number;
  readonly owner: Account;
  name: string;
  /** Earlier names; requests for them are redirected. */
  readonly formerNames: string[];
  readonly gitDir: string;
  readonly defaultBranch: string;
  readonly parent: Repository | null;
  readonly createdAt: number;
  readonly allowed: Record<MergeMethod | "autoMerge" | "deleteBranchOnMerge", boolean>;
  /** Issues and pull requests share their numbers. */
  readonly issues: Map<number, Issue>;
  readonly pulls: Map<number, Pull>;
  /** Issues that were moved to another repository; requests for them are redirected. */
  readonly moved: Map<number, { readonly to: Repository; readonly number: number }>;
  readonly labels: Map<string, Label>;
  readonly checks: CheckRun[];
  readonly statuses: CommitStatus[];
  readonly jobs: Job[];
  /** What CI does with a job that runs again; null: nothing, it stays in progress. */
  onRerun: ((job: Job) => void) | null;
  readonly protections: Map<string, Protection>;
  /** Rules of rulesets, by the branch that they hold for. */
  readonly rulesets: Map<string, readonly Rule[]>;
  /** Merge queues by their branch. */
  readonly queues: Map<string, Pull[]>;
  readonly hooks: Hook[];
}
