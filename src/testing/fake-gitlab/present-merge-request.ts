import type {
  CommitStatusSchema,
  ExpandedMergeRequestSchema,
  JobSchema,
  MergeRequestDiffVersionsSchema,
  MergeRequestLevelMergeRequestApprovalSchema,
  PipelineSchema,
} from "@gitbeaker/core";
import { readBranch } from "../fake-forge/git.ts";
import { at, atOrNull, type Described } from "./described.ts";
import { isDraft, isOpenToMaintainers, mergeStatus } from "./merge-status.ts";
import type { Job, MergeRequest, Pipeline, Project } from "./model.ts";
import { pipelineOf, statusOfPipeline } from "./pipelines.ts";
import { presentNoteable, presentUser, projectPage } from "./present.ts";
import { fullPath, type World } from "./world.ts";

export async function presentMergeRequest(world: World, project: Project, request: MergeRequest) {
  const status = await mergeStatus(project, request);
  const pipeline = pipelineOf(request.source, request.head);
  const short = `!${request.iid}`;
  const shown = {
    ...presentNoteable(world, request),
    project_id: project.id,
    source_project_id: request.source.id,
    target_project_id: project.id,
    state: request.state,
    source_branch: request.sourceBranch,
    target_branch: request.targetBranch,
    sha: request.head,
    draft: isDraft(request),
    work_in_progress: isDraft(request),
    reviewers: request.reviewers.map(({ user }) => presentUser(world, user)),
    merged_at: atOrNull(request.mergedAt),
    merged_by: request.mergedBy === null ? null : presentUser(world, request.mergedBy),
    closed_by: request.closedBy === null ? null : presentUser(world, request.closedBy),
    merge_commit_sha: request.mergeCommit,
    squash_commit_sha: request.squashCommit,
    merge_status: status === "conflict" ? "cannot_be_merged" : "can_be_merged",
    has_conflicts: status === "conflict",
    blocking_discussions_resolved: request.discussions.every(({ isSingle, resolvedBy }) => isSingle || resolvedBy),
    force_remove_source_branch: project.settings.removeSourceBranch,
    merge_when_pipeline_succeeds: false,
    squash: false,
    reference: short,
    references: { short, relative: short, full: `${fullPath(project)}${short}` },
    web_url: `${projectPage(world, project)}/-/merge_requests/${request.iid}`,
    head_pipeline: pipeline === null ? null : presentPipeline(world, request.source, pipeline),
    diff_refs: {
      base_sha: request.baseBefore ?? readBranch(project.gitDir, request.targetBranch) ?? "",
      start_sha: readBranch(project.gitDir, request.targetBranch) ?? "",
      head_sha: request.head,
    },
    merge_error: null,
    user: { can_merge: true },
  } satisfies Described<ExpandedMergeRequestSchema>;
  const isAllowed = isOpenToMaintainers(request);
  const isFork = request.source !== project;
  const collaboration = isFork ? { allow_collaboration: isAllowed, allow_maintainer_to_push: isAllowed } : {};
  // The types lack these, or have an older list of them.
  return { ...shown, ...collaboration, detailed_merge_status: status, ...request.malformed };
}

export function presentPipeline(world: World, project: Project, pipeline: Pipeline) {
  return {
    id: pipeline.id,
    iid: project.pipelines.indexOf(pipeline) + 1,
    project_id: project.id,
    sha: pipeline.sha,
    ref: pipeline.ref,
    status: statusOfPipeline(project, pipeline),
    source: pipeline.source,
    created_at: at(pipeline.createdAt),
    updated_at: at(pipeline.updatedAt),
    web_url: `${projectPage(world, project)}/-/pipelines/${pipeline.id}`,
  } satisfies Described<PipelineSchema>;
}

function jobPage(world: World, project: Project, job: Job): string {
  return job.targetUrl ?? `${projectPage(world, project)}/-/jobs/${job.id}`;
}

/** A job or external status in the list of a commit's statuses. */
export function presentStatus(world: World, project: Project, job: Job) {
  const shown = {
    id: job.id,
    sha: job.pipeline.sha,
    ref: job.pipeline.ref,
    name: job.name,
    target_url: jobPage(world, project, job),
    description: null,
    allow_failure: job.allowFailure,
    author: presentUser(world, job.author),
    created_at: at(job.startedAt),
    started_at: at(job.startedAt),
    finished_at: atOrNull(job.finishedAt),
  } satisfies Described<CommitStatusSchema>;
  return { ...shown, status: job.status, pipeline_id: job.pipeline.id };
}

export function presentJob(world: World, project: Project, job: Job) {
  const shown = {
    id: job.id,
    name: job.name,
    stage: "test",
    status: job.status,
    ref: job.pipeline.ref,
    tag: false,
    allow_failure: job.allowFailure,
    created_at: at(job.startedAt),
    started_at: at(job.startedAt),
    finished_at: atOrNull(job.finishedAt),
    user: presentUser(world, job.author),
    pipeline: presentPipeline(world, project, job.pipeline),
    web_url: jobPage(world, project, job),
  } satisfies Omit<Described<JobSchema>, "user" | "pipeline"> & { readonly user: object; readonly pipeline: object };
  return { ...shown, failure_reason: job.failureReason ?? undefined };
}

export function presentApprovals(world: World, project: Project, request: MergeRequest) {
  const { id, iid, title, description, created_at, updated_at } = presentNoteable(world, request);
  const required = project.settings.approvalsRequired;
  const shown = {
    ...{ id, iid, title, description, created_at, updated_at },
    project_id: project.id,
    state: request.state,
    merge_status: "can_be_merged",
    approvals_required: required,
    approvals_left: Math.max(0, required - request.approvals.length),
    approved_by: request.approvals.map(({ by }) => ({ user: presentUser(world, by) })),
  } satisfies Described<MergeRequestLevelMergeRequestApprovalSchema>;
  const approvedBy = request.approvals.map(({ by, at: when }) => ({
    user: presentUser(world, by),
    approved_at: at(when),
  }));
  const isLacking = project.settings.isPremium && shown.approvals_left > 0;
  const rules = isLacking ? [{ id: 1, name: "All Members", rule_type: "any_approver" }] : [];
  return { ...shown, approved: shown.approvals_left === 0, approved_by: approvedBy, approval_rules_left: rules };
}

export function presentVersion(request: MergeRequest, version: MergeRequest["versions"][number]) {
  return {
    id: version.id,
    head_commit_sha: version.head,
    base_commit_sha: "",
    start_commit_sha: "",
    created_at: at(version.createdAt),
    merge_request_id: request.id,
    state: "collected",
    real_size: "1",
  } satisfies Described<MergeRequestDiffVersionsSchema>;
}
