import type {
  DiscussionSchema,
  IssueLinkSchema,
  IssueSchema,
  MergeRequestDiscussionNoteSchema,
  NoteSchema,
  ProjectSchema,
  SimpleLabelSchema,
  SimpleUserSchema,
} from "@gitbeaker/core";
import { at, atOrNull, type Described } from "./described.ts";
import type { Discussion, Issue, Label, Note, Noteable, Project, User } from "./model.ts";
import { fullPath, type World } from "./world.ts";

export function presentUser(world: World, user: User) {
  return {
    id: user.id,
    username: user.username,
    name: user.username,
    state: "active",
    avatar_url: `${world.url}/avatars/${user.id}`,
    web_url: `${world.url}/${user.username}`,
  } satisfies Described<SimpleUserSchema>;
}

export function presentLabel(label: Label) {
  return {
    id: label.id,
    name: label.name,
    description: null,
    description_html: "",
    text_color: "#FFFFFF",
    color: "#6699cc",
  } satisfies Described<SimpleLabelSchema>;
}

export function projectPage(world: World, project: Project): string {
  return `${world.url}/${fullPath(project)}`;
}

export function presentProject(world: World, project: Project) {
  const { settings } = project;
  const shown = {
    id: project.id,
    name: project.path,
    path: project.path,
    path_with_namespace: fullPath(project),
    default_branch: project.defaultBranch,
    visibility: "private",
    archived: false,
    issues_enabled: true,
    web_url: projectPage(world, project),
    http_url_to_repo: `${projectPage(world, project)}.git`,
    merge_method: settings.mergeMethod,
    squash_option: "default_off",
    only_allow_merge_if_pipeline_succeeds: settings.pipelineMustSucceed,
    only_allow_merge_if_all_discussions_are_resolved: settings.discussionsMustBeResolved,
    remove_source_branch_after_merge: settings.removeSourceBranch,
    permissions: {
      project_access: { access_level: 40, notification_level: 3 },
      group_access: { access_level: 0, notification_level: 0 },
    },
  } satisfies Described<ProjectSchema>;
  const { mergedResults: merge_pipelines_enabled, mergeTrains: merge_trains_enabled } = settings;
  // Not in the types, and not on GitLab Free.
  return { ...shown, ...(settings.isPremium ? { merge_pipelines_enabled, merge_trains_enabled } : {}) };
}

/** The fields that an issue and a merge request share. */
export function presentNoteable(world: World, on: Noteable) {
  const notes = on.discussions.flatMap((discussion) => discussion.notes);
  return {
    id: on.id,
    iid: on.iid,
    title: on.title,
    description: on.description,
    labels: on.labels.map(({ name }) => name),
    author: presentUser(world, on.author),
    assignees: on.assignees.map((user) => presentUser(world, user)),
    user_notes_count: notes.filter(({ isSystem }) => !isSystem).length,
    upvotes: 0,
    downvotes: 0,
    created_at: at(on.createdAt),
    updated_at: at(on.updatedAt),
    closed_at: atOrNull(on.closedAt),
  };
}

export function presentIssue(world: World, project: Project, issue: Issue) {
  const page = `${projectPage(world, project)}/-/issues/${issue.iid}`;
  const blocked = [...project.issues.values()].filter(({ blockedBy }) =>
    blockedBy.some((link) => link.issue === issue),
  );
  const shown = {
    ...presentNoteable(world, issue),
    project_id: project.id,
    state: issue.state,
    type: "ISSUE",
    confidential: false,
    moved_to_id: issue.movedTo === null ? null : String(issue.movedTo.id),
    web_url: page,
    references: { short: `#${issue.iid}`, relative: `#${issue.iid}`, full: `${fullPath(project)}#${issue.iid}` },
  } satisfies Described<IssueSchema>;
  // Not in the types: how many issues this one blocks.
  const counted = project.settings.isPremium ? { blocking_issues_count: blocked.length } : {};
  return { ...shown, ...counted, ...issue.malformed };
}

export function presentLink(
  world: World,
  project: Project,
  link: { readonly linkId: number; readonly issue: Issue; readonly type: IssueLinkSchema["link_type"] },
) {
  const { id, iid, state, title, description, web_url, author, labels } = presentIssue(world, project, link.issue);
  return {
    ...{ id, iid, state, title, description, web_url, author, labels },
    project_id: project.id,
    issue_link_id: link.linkId,
    link_type: link.type,
    link_created_at: at(link.issue.createdAt),
    link_updated_at: at(link.issue.createdAt),
  } satisfies Described<IssueLinkSchema>;
}

interface Noted {
  readonly on: Noteable;
  readonly kind: "Issue" | "MergeRequest";
  readonly project: Project;
}

export function presentNote(world: World, { on, kind, project }: Noted, note: Note) {
  return {
    id: note.id,
    body: note.body,
    attachment: null,
    author: presentUser(world, note.author),
    created_at: at(note.createdAt),
    updated_at: at(note.updatedAt),
    system: note.isSystem,
    noteable_id: on.id,
    noteable_type: kind,
    noteable_iid: on.iid,
    project_id: project.id,
    resolvable: false,
  } satisfies Described<NoteSchema>;
}

export function presentDiscussion(world: World, noted: Noted, discussion: Discussion) {
  const { position, isSingle, resolvedBy } = discussion;
  const isResolvable = noted.kind === "MergeRequest" && !isSingle;
  const where = {
    base_sha: "",
    start_sha: "",
    head_sha: position?.head ?? "",
    old_path: position?.path ?? "",
    new_path: position?.path ?? "",
    position_type: "text" as const,
    old_line: null,
    new_line: position?.line ?? 0,
  };
  const notes = discussion.notes.map((note) => ({
    ...presentNote(world, noted, note),
    type: position !== null ? ("DiffNote" as const) : isSingle ? null : ("DiscussionNote" as const),
    resolvable: isResolvable,
    ...(isResolvable
      ? { resolved: resolvedBy !== null, resolved_by: resolvedBy === null ? null : presentUser(world, resolvedBy) }
      : {}),
    ...(position === null ? {} : { position: where }),
  }));
  // The types declare `resolved_by` as a string; GitLab sends the user.
  type DescribedNote = Omit<Described<MergeRequestDiscussionNoteSchema>, "resolved_by" | "position">;
  const described: readonly DescribedNote[] = notes;
  const shown = { id: discussion.id, individual_note: isSingle } satisfies Described<DiscussionSchema>;
  return { ...shown, notes: described };
}
