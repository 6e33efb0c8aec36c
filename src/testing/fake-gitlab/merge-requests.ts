import { commitTree, git, isAncestor, mergeTree, readBranch } from "../fake-forge/git.ts";
import { hookPayload } from "./hook-payload.ts";
import { isOpenToMaintainers, mergeStatus } from "./merge-status.ts";
import type { MergeRequest, Project, User } from "./model.ts";
import { presentMergeRequest } from "./present-merge-request.ts";
import { fullPath, type NewFields, newNoteable, setIssueState, type World } from "./world.ts";

export interface NewMergeRequest extends NewFields {
  readonly sourceBranch: string;
  readonly targetBranch: string;
  /** The fork with the source branch. */
  readonly source?: Project;
  readonly allowsCollaboration?: boolean;
}

/** Opens a merge request for an existing branch; the caller has checked that it may be opened. */
export function addMergeRequest(world: World, project: Project, fields: NewMergeRequest): MergeRequest {
  const iid = project.mergeRequests.size + 1;
  const { source = project } = fields;
  const head = readBranch(source.gitDir, fields.sourceBranch) ?? "";
  const request: MergeRequest = {
    ...newNoteable(world, project, { ...fields, iid }),
    state: "opened",
    sourceBranch: fields.sourceBranch,
    source,
    allowsCollaboration: fields.allowsCollaboration ?? false,
    targetBranch: fields.targetBranch,
    head,
    versions: [{ id: world.nextId(), head, createdAt: world.now() }],
    mergedAt: null,
    mergedBy: null,
    mergeCommit: null,
    squashCommit: null,
    baseBefore: null,
    approvals: [],
    reviewers: [],
  };
  project.mergeRequests.set(iid, request);
  return request;
}

/** Sends webhooks about a merge request event. */
export async function emitMergeRequest(
  world: World,
  project: Project,
  happened: { readonly action: string; readonly request: MergeRequest; readonly by: User },
): Promise<void> {
  if (project.hooks.length === 0) return;
  const { action, request, by } = happened;
  const { id, iid, state, title, source_branch, target_branch, sha, updated_at, draft, detailed_merge_status } =
    await presentMergeRequest(world, project, request);
  world.webhooks.emit(project, "Merge Request Hook", {
    object_kind: "merge_request",
    event_type: "merge_request",
    ...hookPayload(world, project, by),
    object_attributes: {
      ...{ id, iid, state, title, source_branch, target_branch, updated_at, draft, detailed_merge_status, action },
      last_commit: { id: sha },
    },
  });
}

/** Applies the effects of a push: moved heads, deleted branches, commits that are now in the target. */
export async function followBranches(world: World, project: Project): Promise<void> {
  for (const request of project.mergeRequests.values()) {
    if (request.state === "opened") await followBranch(world, project, request);
  }
}

async function followBranch(world: World, project: Project, request: MergeRequest): Promise<void> {
  const head = readBranch(request.source.gitDir, request.sourceBranch);
  // A deleted branch leaves its merge request open, as on GitLab.
  if (head === null || head === request.head) return;
  // Before anything is awaited: concurrent requests must not see the move twice.
  request.head = head;
  request.versions.push({ id: world.nextId(), head, createdAt: world.now() });
  request.updatedAt = world.now();
  await takeObjects(project, request);
  if (project.settings.resetApprovalsOnPush) request.approvals.splice(0);
  const target = readBranch(project.gitDir, request.targetBranch);
  const by = request.author;
  if (target !== null && (await isAncestor(project.gitDir, head, target))) {
    settleMerge(world, request, { by, mergeCommit: null, squashCommit: null, baseBefore: null });
    await emitMergeRequest(world, project, { action: "merge", request, by });
    return;
  }
  await emitMergeRequest(world, project, { action: "update", request, by });
}

/** Commits of a fork become readable in the project itself, as on GitLab. */
export async function takeObjects(project: Project, { source, head, iid }: MergeRequest): Promise<void> {
  if (source === project) return;
  await git(project.gitDir, ["fetch", "-q", "--no-tags", source.gitDir, `+${head}:refs/merge-requests/${iid}/head`]);
}

/** May someone push to a project? To another person's fork only while a merge request allows it. */
export function mayPush(world: World, project: Project, { username }: User): boolean {
  if (project.parent === null || project.namespace === username) return true;
  const requests = world.projects.flatMap((one) => [...one.mergeRequests.values()]);
  return requests.some((one) => one.state === "opened" && one.source === project && isOpenToMaintainers(one));
}

interface Merged {
  readonly by: User;
  readonly mergeCommit: string | null;
  readonly squashCommit: string | null;
  readonly baseBefore: string | null;
}

function settleMerge(world: World, request: MergeRequest, merged: Merged): void {
  request.state = "merged";
  request.mergedAt = world.now();
  request.mergedBy = merged.by;
  request.mergeCommit = merged.mergeCommit;
  request.squashCommit = merged.squashCommit;
  request.baseBefore = merged.baseBefore;
  request.updatedAt = world.now();
}

export interface MergeOrder {
  readonly request: MergeRequest;
  readonly by: User;
  readonly squash: boolean;
  readonly sha?: string | undefined;
  readonly message?: string | undefined;
  readonly squashMessage?: string | undefined;
  readonly removeBranch?: boolean;
}

export interface Refusal {
  readonly status: 405 | 409 | 422;
  readonly message: string;
}

/** Merges with git by the project's method; returns the reason if it cannot. */
export async function mergeRequest(world: World, project: Project, order: MergeOrder): Promise<Refusal | null> {
  const { request, by, sha } = order;
  const status = await mergeStatus(project, request);
  if (sha !== undefined && request.state === "opened" && sha !== request.head) {
    return { status: 409, message: "SHA does not match HEAD of source branch" };
  }
  if (status === "conflict") return { status: 422, message: "Branch cannot be merged" };
  if (status !== "mergeable") return { status: 405, message: "405 Method Not Allowed" };
  const made = await writeMerge(project, order);
  settleMerge(world, request, { by, ...made });
  project.train.delete(request.iid);
  const isRemoved = order.removeBranch === true || project.settings.removeSourceBranch;
  if (isRemoved && request.source === project) {
    await git(project.gitDir, ["update-ref", "-d", `refs/heads/${request.sourceBranch}`]);
  }
  closeIssues(world, project, request);
  await emitMergeRequest(world, project, { action: "merge", request, by });
  return null;
}

async function writeMerge(project: Project, order: MergeOrder): Promise<Omit<Merged, "by">> {
  const { request, squash } = order;
  const { gitDir } = project;
  const base = readBranch(gitDir, request.targetBranch) ?? "";
  const tree = (await mergeTree(gitDir, base, request.head)) ?? "";
  const message = order.squashMessage ?? request.title;
  const squashCommit = squash ? await commitTree(gitDir, { tree, parents: [base], message }) : null;
  const tip = squashCommit ?? request.head;
  const isFastForward = project.settings.mergeMethod === "ff";
  const text = order.message ?? `Merge branch '${request.sourceBranch}' into '${request.targetBranch}'`;
  const mergeCommit = isFastForward ? null : await commitTree(gitDir, { tree, parents: [base, tip], message: text });
  await git(gitDir, ["update-ref", `refs/heads/${request.targetBranch}`, mergeCommit ?? tip, base]);
  return { mergeCommit, squashCommit, baseBefore: base };
}

const KEYWORD = /\b(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)):?\s+([\w./-]*)#(\d+)/gi;

/** A merge into the default branch closes the issues that its text names. */
function closeIssues(world: World, project: Project, request: MergeRequest): void {
  if (request.targetBranch !== project.defaultBranch) return;
  for (const [, path, iid] of (request.description ?? "").matchAll(KEYWORD)) {
    const isHere = path === "" || path === fullPath(project);
    const issue = isHere ? project.issues.get(Number(iid)) : undefined;
    if (issue !== undefined) setIssueState(world, issue, { isOpen: false, by: request.author });
  }
}
