import type { Hook } from "../fake-forge/webhooks.ts";

/** What a GitLab server remembers, as far as the fake one has it. Records are mutable: the server is their only owner. */
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
  /** Written by GitLab about something that happened. */
  readonly isSystem: boolean;
}

/** One note, or a thread of them. */
export interface Discussion {
  readonly id: string;
  /** A plain comment: it cannot be resolved until somebody answers it. */
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
  /** Fields that GitLab never sends: they replace those of the answer, to see what a client makes of them. */
  malformed?: Readonly<Record<string, unknown>>;
}

export interface Issue extends Noteable {
  state: "opened" | "closed";
  /** Issues of the same project that block this one, with the id of the link. */
  readonly blockedBy: { readonly linkId: number; readonly issue: Issue }[];
  movedTo: Issue | null;
}

export interface MergeRequest extends Noteable {
  state: "opened" | "closed" | "merged";
  readonly sourceBranch: string;
  /** Another project's: that of a fork. */
  sourceProjectId: number;
  readonly targetBranch: string;
  /** The commit of the source branch when it was last read; stays when the branch is deleted. */
  head: string;
  readonly versions: { readonly id: number; readonly head: string; readonly createdAt: number }[];
  mergedAt: number | null;
  mergedBy: User | null;
  mergeCommit: string | null;
  squashCommit: string | null;
  /** Where the target branch was before the merge. */
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
  /** Its commit is this one merged into the target branch; null: it ran on its commit itself. */
  readonly sourceSha: string | null;
  readonly createdAt: number;
  updatedAt: number;
}

/** A job of CI, or a status that another system reported. */
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
  /** A newer job of the same name took its place. */
  isRetried: boolean;
}

export interface ProjectSettings {
  mergeMethod: "merge" | "rebase_merge" | "ff";
  pipelineMustSucceed: boolean;
  /** Pipelines of merge requests run on their result. */
  mergedResults: boolean;
  mergeTrains: boolean;
  discussionsMustBeResolved: boolean;
  approvalsRequired: number;
  resetApprovalsOnPush: boolean;
  removeSourceBranch: boolean;
  /** Without it there are no links of the kind "blocks", as on GitLab Free. */
  isPremium: boolean;
}

export interface Project {
  readonly id: number;
  readonly namespace: string;
  path: string;
  /** Earlier paths; requests for them are redirected. */
  readonly formerPaths: string[];
  readonly gitDir: string;
  readonly defaultBranch: string;
  readonly settings: ProjectSettings;
  readonly issues: Map<number, Issue>;
  readonly mergeRequests: Map<number, MergeRequest>;
  readonly labels: Label[];
  readonly pipelines: Pipeline[];
  readonly jobs: Job[];
  readonly protectedBranches: Set<string>;
  readonly hooks: Hook[];
  /** Numbers of the merge requests on the merge train. */
  readonly train: Set<number>;
}
