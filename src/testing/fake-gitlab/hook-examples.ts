import type {
  WebhookCommitNoteEventSchema,
  WebhookDeploymentEventSchema,
  WebhookEmojiEventSchema,
  WebhookFeatureFlagEventSchema,
  WebhookGroupMemberEventSchema,
  WebhookIssueEventSchema,
  WebhookIssueNoteEventSchema,
  WebhookJobEventSchema,
  WebhookMergeRequestEventSchema,
  WebhookMergeRequestNoteEventSchema,
  WebhookPipelineEventSchema,
  WebhookPushEventSchema,
  WebhookReleaseEventSchema,
  WebhookSnippetNoteEventSchema,
  WebhookSubGroupEventSchema,
  WebhookTagEventSchema,
  WebhookWikiEventSchema,
} from "@gitbeaker/core";
import type { Described } from "./described.ts";

/** What a delivery is about. */
interface Named {
  readonly numbers?: readonly number[];
  readonly commits?: readonly string[];
  readonly branches?: readonly string[];
}

/** A payload of an event that GitLab documents, and what it is about; null: no project. */
export interface HookExample {
  readonly event: string;
  readonly payload: unknown;
  readonly about: Named | null;
}

export const EXAMPLE_PAGE = "https://gitlab.example.com/group/sub/app";

const SHA = "4f1c".repeat(10);
const OLD = "0".repeat(40);
const TIME = "2026-03-01 08:00:00 UTC";
const user = { id: 7, name: "Ann", username: "ann", avatar_url: null };
const author = { name: "Ann", email: "ann@example.com" };
const project = {
  id: 5,
  name: "App",
  web_url: EXAMPLE_PAGE,
  git_http_url: `${EXAMPLE_PAGE}.git`,
  path_with_namespace: "group/sub/app",
  default_branch: "main",
  visibility_level: 0,
};
const repository = { name: "App", homepage: EXAMPLE_PAGE, git_http_url: `${EXAMPLE_PAGE}.git`, description: "" };
const commit = { id: SHA, message: "Add a\n", timestamp: TIME, url: `${EXAMPLE_PAGE}/-/commit/${SHA}`, author };
const push = {
  ...{ before: OLD, after: SHA, checkout_sha: SHA, project_id: 5, project, repository, user_id: 7, user_name: "Ann" },
  total_commits_count: 1,
};
const note = { object_kind: "note", event_type: "note", user, project, project_id: 5, repository } as const;
const words = { id: 90, note: "Why?", author_id: 7, created_at: TIME, system: false, discussion_id: "d1" };
const pipeline = { id: 31, iid: 3, tag: false, sha: SHA, before_sha: OLD, status: "failed", stages: ["test"] };

/**
 * Every event of the page "Webhook events" in GitLab's documentation, with the fields it shows; the values are ours.
 */
export const HOOK_EXAMPLES: readonly HookExample[] = [
  {
    event: "Push Hook",
    payload: {
      ...{ object_kind: "push", event_name: "push", ref: "refs/heads/fix/a", ...push },
      commits: [{ ...commit, title: "Add a", added: ["a.txt"], modified: [], removed: [] }],
    } satisfies Described<WebhookPushEventSchema>,
    about: { branches: ["fix/a"] },
  },
  {
    event: "Tag Push Hook",
    payload: {
      object_kind: "tag_push",
      event_name: "tag_push",
      ref: "refs/tags/v1",
      ...push,
      commits: [],
    } satisfies Described<WebhookTagEventSchema>,
    about: {},
  },
  {
    event: "Issue Hook",
    payload: {
      ...{ object_kind: "issue", event_type: "issue", user, project },
      object_attributes: { id: 301, iid: 23, title: "Add a", state: "opened", action: "open" },
    } satisfies Described<WebhookIssueEventSchema>,
    about: {},
  },
  {
    event: "Note Hook",
    payload: {
      ...note,
      object_attributes: { ...words, noteable_type: "Commit", commit_id: SHA },
      commit,
    } satisfies Described<WebhookCommitNoteEventSchema>,
    about: {},
  },
  {
    event: "Note Hook",
    payload: {
      ...{ ...note, object_attributes: { ...words, noteable_type: "MergeRequest" } },
      merge_request: { id: 61, iid: 7, title: "Add a", source_branch: "fix/a", target_branch: "main" },
    } satisfies Described<WebhookMergeRequestNoteEventSchema>,
    about: { numbers: [7] },
  },
  {
    event: "Note Hook",
    payload: {
      ...note,
      object_attributes: { ...words, noteable_type: "Issue" },
      issue: { id: 92, iid: 17 },
    } satisfies Described<WebhookIssueNoteEventSchema>,
    about: {},
  },
  {
    event: "Note Hook",
    payload: {
      ...note,
      object_attributes: { ...words, noteable_type: "Snippet" },
      snippet: { id: 53, title: "s" },
    } satisfies Described<WebhookSnippetNoteEventSchema>,
    about: {},
  },
  {
    event: "Merge Request Hook",
    payload: {
      ...{ object_kind: "merge_request", event_type: "merge_request", user, project, repository },
      object_attributes: {
        ...{ id: 61, iid: 7, title: "Add a", source_branch: "fix/a", target_branch: "main", state: "opened" },
        ...{ draft: false, action: "approved", last_commit: { ...commit, title: "Add a" } },
      },
    } satisfies Described<WebhookMergeRequestEventSchema>,
    about: { numbers: [7], commits: [SHA] },
  },
  {
    event: "Wiki Page Hook",
    payload: {
      ...{ object_kind: "wiki_page", user, project, wiki: { web_url: `${EXAMPLE_PAGE}/-/wikis/home` } },
      object_attributes: { title: "Home", slug: "home", action: "create" },
    } satisfies Described<WebhookWikiEventSchema>,
    about: {},
  },
  {
    event: "Pipeline Hook",
    payload: {
      ...{ object_kind: "pipeline", user, project, commit, merge_request: null },
      object_attributes: { ...pipeline, ref: "fix/a", source: "push" },
    } satisfies Described<WebhookPipelineEventSchema>,
    about: { commits: [SHA], branches: ["fix/a"] },
  },
  {
    event: "Pipeline Hook",
    payload: {
      ...{ object_kind: "pipeline", user, project, commit, merge_request: { id: 61, iid: 7, state: "opened" } },
      object_attributes: { ...pipeline, ref: "refs/merge-requests/7/merge", source: "merge_request_event" },
    } satisfies Described<WebhookPipelineEventSchema>,
    about: { numbers: [7], commits: [SHA] },
  },
  {
    event: "Job Hook",
    payload: {
      ...{ object_kind: "build", ref: "fix/a", tag: false, sha: SHA, before_sha: OLD, build_id: 19, project_id: 5 },
      ...{ build_name: "test", build_status: "failed", pipeline_id: 31, user, repository, project },
      commit: { id: 31, sha: SHA, status: "failed" },
    } satisfies Described<WebhookJobEventSchema>,
    about: { commits: [SHA], branches: ["fix/a"] },
  },
  {
    event: "Job Hook",
    payload: {
      object_kind: "build",
      ref: "refs/merge-requests/7/head",
      sha: SHA,
      build_id: 20,
      repository,
    } satisfies Described<WebhookJobEventSchema>,
    about: { numbers: [7], commits: [SHA] },
  },
  {
    event: "Deployment Hook",
    payload: {
      object_kind: "deployment",
      status: "success",
      deployment_id: 15,
      short_sha: "4f1c4f1c",
      project,
      user,
    } satisfies Described<WebhookDeploymentEventSchema>,
    about: {},
  },
  ...["user_add_to_group", "user_update_for_group", "user_remove_from_group"].map((name) => ({
    event: "Member Hook",
    payload: {
      event_name: name as "user_update_for_group",
      group_name: "g",
      group_path: "g",
      group_id: 100,
      user_id: 7,
    } satisfies Described<WebhookGroupMemberEventSchema>,
    about: null,
  })),
  ...["project_create", "project_destroy"].map((name) => ({
    event: "Project Hook",
    payload: { event_name: name, name: "app", path_with_namespace: "group/sub/app", project_id: 5 },
    about: null,
  })),
  ...["subgroup_create", "subgroup_destroy"].map((name) => ({
    event: "Subgroup Hook",
    payload: {
      event_name: name as "subgroup_create",
      name: "sub",
      path: "sub",
      full_path: "group/sub",
      group_id: 10,
    } satisfies Described<WebhookSubGroupEventSchema>,
    about: null,
  })),
  {
    event: "Feature Flag Hook",
    payload: {
      object_kind: "feature_flag",
      project,
      user,
      object_attributes: { id: 6, name: "f", active: true },
    } satisfies Described<WebhookFeatureFlagEventSchema>,
    about: {},
  },
  {
    event: "Release Hook",
    payload: {
      object_kind: "release",
      id: 1,
      name: "v1",
      tag: "v1",
      action: "create",
      project,
    } satisfies Described<WebhookReleaseEventSchema>,
    about: {},
  },
  {
    event: "Milestone Hook",
    payload: { object_kind: "milestone", project, object_attributes: { id: 61, iid: 10, state: "active" } },
    about: {},
  },
  {
    event: "Emoji Hook",
    payload: {
      ...{ object_kind: "emoji", user, project, object_attributes: { id: 1, name: "thumbsup" } },
      merge_request: { id: 61, iid: 7 },
    } satisfies Described<WebhookEmojiEventSchema>,
    about: { numbers: [7] },
  },
  {
    event: "Resource Access Token Hook",
    payload: { object_kind: "access_token", project, object_attributes: { id: 25, name: "ao" } },
    about: {},
  },
  {
    event: "Resource Access Token Hook",
    payload: { object_kind: "access_token", group: { group_name: "g", group_path: "g", group_id: 35 } },
    about: null,
  },
  {
    event: "Vulnerability Hook",
    payload: { object_kind: "vulnerability", object_attributes: { url: `${EXAMPLE_PAGE}/-/security/1`, title: "x" } },
    about: null,
  },
];
