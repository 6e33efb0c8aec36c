import { canMerge, isAncestor, readBranch } from "../fake-forge/git.ts";
import type { MergeRequest, Project } from "./model.ts";
import { jobsOf, pipelineOf, statusOfPipeline } from "./pipelines.ts";

export function isDraft({ title }: MergeRequest): boolean {
  return /^\s*(?:draft:|\[draft\]|\(draft\))/i.test(title);
}

/** May maintainers push to its branch? GitLab never lets them push to a fork's protected branch. */
export function isOpenToMaintainers({ source, sourceBranch, allowsCollaboration }: MergeRequest): boolean {
  return allowsCollaboration && !source.protectedBranches.has(sourceBranch);
}

/** Why a merge request cannot be merged, in GitLab's order of checks; `mergeable`: it can. */
export async function mergeStatus(project: Project, request: MergeRequest): Promise<string> {
  if (request.state !== "opened") return "not_open";
  if (isDraft(request)) return "draft_status";
  const base = readBranch(project.gitDir, request.targetBranch);
  if (base === null || readBranch(request.source.gitDir, request.sourceBranch) === null) return "broken_status";
  if (!(await canMerge(project.gitDir, base, request.head))) return "conflict";
  return refusedBy(project, request) ?? ((await needsRebase(project, request, base)) ? "need_rebase" : "mergeable");
}

function refusedBy(project: Project, request: MergeRequest): string | null {
  const { settings } = project;
  const pipeline = pipelineOf(request.source, request.head);
  if (settings.pipelineMustSucceed) {
    const status = pipeline === null ? "failed" : statusOfPipeline(request.source, pipeline);
    if (status === "running") return "ci_still_running";
    if (status !== "success" || jobsOf(request.source, request.head).length === 0) return "ci_must_pass";
  }
  const isOpen = request.discussions.some(({ isSingle, resolvedBy }) => !isSingle && resolvedBy === null);
  if (settings.discussionsMustBeResolved && isOpen) return "discussions_not_resolved";
  if (request.approvals.length < settings.approvalsRequired) return "not_approved";
  return settings.isPremium && request.reviewers.some(({ state }) => state === "requested_changes")
    ? "requested_changes"
    : null;
}

async function needsRebase(project: Project, request: MergeRequest, base: string): Promise<boolean> {
  return project.settings.mergeMethod !== "merge" && !(await isAncestor(project.gitDir, base, request.head));
}
