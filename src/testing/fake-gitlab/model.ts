import type { Hook } from "../fake-forge/webhooks.ts";

/** A GitLab server's records, as far as the fake has them. They are mutable: the server is their only owner. */
export interface User {
  readonly id: number;
  readonly username: string;
}

export interface Token {
  readonly value: string;
  readonly user: User;
  readonly scopes: readonly string[];
  isRevoked: boolean;
}

export interface Label {
  readonly id: number;
  readonly name: string;
}

export interface Position {
  readonly path: string;
  readonly line: number;
  readonly head: string;
}

export interface Note {
  readonly id: number;
  readonly author: User;
  body: string;
  readonly createdAt: number;
  updatedAt: number;
  /** A system note, written by GitLab about an event. */
  readonly isSystem: boolean;
}

/** One note, or a thread of them. */
export interface Discussion {
  readonly id: string;
  /** A plain comment: it cannot be resolved until someone replies. */
  isSingle: boolean;
  readonly position: Position | null;
  readonly notes: Note[];
  resolvedBy: User | null;
}

/** What issues and merge requests have in common. */
export interface Noteable {
  readonly id: number;
  readonly iid: number;
  readonly author: User;
  title: string;
  description: string | null;
  labels: Label[];
  assignees: User[];
  readonly discussions: Discussion[];
  readonly createdAt: number;
  updatedAt: number;
  closedAt: number | null;
  closedBy: User | null;
  /** Fields that GitLab never sends: they replace those of the answer, to test how a client handles them. */
  malformed?: Readonly<Record<string, unknown>>;
}

export interface Issue extends Noteable {
  state: "opened" | "closed";
  /** Issues of the same project that block this one, with the link's id. */
  readonly blockedBy: { readonly linkId: number; readonly issue: Issue }[];
  movedTo: Issue | null;
}

export interface MergeRequest extends Noteable {
  state: "opened" | "closed" | "merged";
  readonly sourceBranch: string;
  /** The project with its branch: another one for a merge request from a fork. */
  readonly source: Project;
  /** For one from a fork: its author lets people who can merge it push to its branch. */
  allowsCollaboration: boolean;
  readonly targetBranch: string;
  /** The commit of the source branch when last read; kept when the branch is deleted. */
  head: string;
  readonly versions: { readonly id: number; readonly head: string; readonly createdAt: number }[];
  mergedAt: number | null;
  mergedBy: User | null;
  mergeCommit: string | null;
  squashCommit: string | null;
  /** The target branch's commit before the merge. */
  baseBefore: string | null;
  readonly approvals: { readonly by: User; readonly at: number }[];
  readonly reviewers: { readonly user: User; state: ReviewerState; readonly createdAt: number }[];
}

export type ReviewerState = "unreviewed" | "reviewed" | "requested_changes" | "approved";

export type JobStatus = "pending" | "running" | "success" | "failed" | "canceled" | "skipped" | "manual";

export interface Pipeline {
  readonly id: number;
  readonly sha: string;
  readonly ref: string;
  readonly source: "push" | "external" | "merge_request_event";
  /** It ran on this commit merged into the target branch; null: it ran on the commit itself. */
  readonly sourceSha: string | null;
  readonly createdAt: number;
  updatedAt: number;
}

/** A CI job, or a status reported by another system. */
export interface Job {
  readonly id: number;
  readonly name: string;
  readonly pipeline: Pipeline;
  readonly isExternal: boolean;
  readonly allowFailure: boolean;
  readonly targetUrl: string | null;
  readonly author: User;
  status: JobStatus;
  failureReason: string | null;
  trace: string;
  readonly startedAt: number;
  finishedAt: number | null;
  /** Replaced by a newer job with the same name. */
  isRetried: boolean;
}

export interface ProjectSettings {
  mergeMethod: "merge" | "rebase_merge" | "ff";
  pipelineMustSucceed: boolean;
  /** Merge request pipelines run on the merged result. */
  mergedResults: boolean;
  mergeTrains: boolean;
  discussionsMustBeResolved: boolean;
  approvalsRequired: number;
  resetApprovalsOnPush: boolean;
  removeSourceBranch: boolean;
  /** Without it there are no "blocks" links, as on GitLab Free. */
  isPremium: boolean;
}

export interface Project {
  readonly id: number;
  readonly namespace: string;
  path: string;
  /** Earlier paths; requests for them are redirected. */
  readonly formerPaths: string[];
  readonly gitDir: string;
  /** The project that this one is a fork of. */
  readonly parent: Project | null;
  readonly defaultBranch: string;
  readonly settings: ProjectSettings;
  readonly issues: Map<number, Issue>;
  readonly mergeRequests: Map<number, MergeRequest>;
  readonly labels: Label[];
  readonly pipelines: Pipeline[];
  readonly jobs: Job[];
  /** What the runner does with a job that is retried; null: nothing, it stays running. */
  onRetry: ((job: Job) => void) | null;
  readonly protectedBranches: Set<string>;
  readonly hooks: Hook[];
  /** Numbers of the merge requests on the merge train. */
  readonly train: Set<number>;
}
