import { emitMergeRequest } from "./merge-requests.ts";
import type { MergeRequest, Position, Project, User } from "./model.ts";
import { emitNote } from "./rest/notes.ts";
import { setReviewer } from "./reviewers.ts";
import { addDiscussion, type World } from "./world.ts";

interface Review {
  readonly request: MergeRequest;
  readonly by: User;
}

/** An approval, with GitLab's system note. */
export async function approve(world: World, project: Project, { request, by }: Review): Promise<void> {
  request.approvals.push({ by, at: world.now() });
  setReviewer(world, { request, by }, "approved");
  addDiscussion(world, request, { author: by, body: "approved this merge request", isSystem: true, isSingle: true });
  await emitMergeRequest(world, project, { action: "approved", request, by });
}

/** Revokes an approval. */
export async function unapprove(world: World, project: Project, { request, by }: Review): Promise<void> {
  const kept = request.approvals.filter((approval) => approval.by !== by);
  request.approvals.splice(0, request.approvals.length, ...kept);
  setReviewer(world, { request, by }, "unreviewed");
  addDiscussion(world, request, { author: by, body: "unapproved this merge request", isSystem: true, isSingle: true });
  await emitMergeRequest(world, project, { action: "unapproved", request, by });
}

interface Remark {
  readonly body: string;
  readonly position: Position | null;
}

/** The comments of a review, which GitLab publishes together. */
export function publishComments(
  world: World,
  project: Project,
  { request, by, remarks }: Review & { readonly remarks: readonly Remark[] },
): void {
  const made = remarks.map(({ body, position }) => addDiscussion(world, request, { author: by, body, position }));
  for (const { notes } of made) emitNote(world, project, { on: request, kind: "MergeRequest", note: notes[0] });
}

/** "Request changes", which stands until the reviewer approves. */
export async function requestChanges(world: World, project: Project, { request, by }: Review): Promise<void> {
  setReviewer(world, { request, by }, "requested_changes");
  addDiscussion(world, request, { author: by, body: "requested changes", isSystem: true, isSingle: true });
  await emitMergeRequest(world, project, { action: "update", request, by });
}
