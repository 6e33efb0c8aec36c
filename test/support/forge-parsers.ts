import { toObservation as readPull } from "../../src/plugins/scm/github/observe.ts";
import { Base, ChangesAnswer, Facts, Talk } from "../../src/plugins/scm/github/query.ts";
import { toObservation as readMergeRequest } from "../../src/plugins/scm/gitlab/observe.ts";
import {
  ApprovalsRecord,
  DiscussionRecord,
  MergeRequestRecord,
  ReviewerRecord,
  readable,
  StatusRecord,
  VersionRecord,
} from "../../src/plugins/scm/gitlab/records.ts";
import { toReviews } from "../../src/plugins/scm/gitlab/reviews.ts";
import type { Settings } from "../../src/plugins/scm/gitlab/settings.ts";
import { readGraphql } from "../../src/providers/github/graphql-answer.ts";
import { githubWebhook } from "../../src/providers/github/webhook.ts";
import { gitlabWebhook } from "../../src/providers/gitlab/webhook.ts";
import { parseAnswer } from "../../src/providers/web/parse-answer.ts";

const at = "2026-11-15T12:00:00Z";
const user = { id: 1, username: "rita" };
const author = { login: "rita" };
const oid = "a".repeat(40);

const PULL = {
  ...{ number: 1, updatedAt: at, state: "OPEN", headRefOid: oid, baseRefName: "main", isDraft: false },
  ...{ mergeStateStatus: "BLOCKED", mergeQueueEntry: { position: 1 }, autoMergeRequest: { enabledBy: author } },
  timelineItems: { nodes: [{ id: "t", reason: "FAILED_CHECKS" }] },
  ...{ mergedBy: author, mergeCommit: { oid } },
  commits: {
    nodes: [
      {
        commit: {
          oid,
          statusCheckRollup: {
            contexts: {
              nodes: [
                {
                  __typename: "CheckRun",
                  databaseId: 1,
                  name: "test",
                  status: "COMPLETED",
                  startedAt: at,
                  completedAt: at,
                },
                { __typename: "StatusContext", id: "s", context: "ci", state: "FAILURE", isRequired: true },
              ],
            },
          },
        },
      },
    ],
  },
  labels: { nodes: [{ name: "bug" }] },
  reviews: {
    nodes: [{ databaseId: 1, state: "APPROVED", body: "x", author, authorAssociation: "OWNER", commit: { oid } }],
  },
  reviewThreads: {
    nodes: [
      {
        ...{ id: "t", isResolved: false, path: "a", line: 1, resolvedBy: null },
        comments: { nodes: [{ databaseId: 2, body: "x", author, pullRequestReview: { databaseId: 1 } }] },
      },
    ],
  },
  comments: { nodes: [{ databaseId: 3, body: "x", author, authorAssociation: "MEMBER" }] },
};

const note = { id: 1, body: "approved this merge request", system: true, created_at: at, author: user };
const REMARK = { ...note, id: 2, body: "x", system: false, resolvable: true, position: { new_path: "a", new_line: 1 } };
const MERGE_REQUEST = {
  record: {
    ...{
      iid: 1,
      state: "merged",
      updated_at: at,
      sha: oid,
      web_url: "https://gitlab.com/x",
      labels: ["bug"],
      draft: false,
    },
    ...{ detailed_merge_status: "not_approved", merge_commit_sha: oid, merge_user: user },
  },
  statuses: [{ id: 1, name: "test", status: "failed", allow_failure: false, started_at: at, finished_at: at }],
  discussions: [
    { id: "d", individual_note: true, notes: [note] },
    { id: "e", individual_note: false, notes: [REMARK] },
  ],
  approvals: { approvals_left: 1, approval_rules_left: [{ name: "r" }], approved_by: [{ user, approved_at: at }] },
  reviewers: [{ user, state: "requested_changes" }],
  versions: [{ head_commit_sha: oid, created_at: at }],
};

const SETTINGS: Settings = {
  merge_method: "merge",
  squash_option: "never",
  only_allow_merge_if_pipeline_succeeds: true,
};

const deliver = (text: string, type: string) => ({
  header: (name: string) => (name === "content-type" ? type : undefined),
  body: new TextEncoder().encode(text),
});

const WEBHOOK = {
  ...{ repository: { html_url: "https://github.com/o/r" }, pull_request: { number: 1 }, ref: "refs/heads/x", sha: oid },
  check_run: { head_sha: oid, head_branch: "x", pull_requests: [{ number: 1 }], check_suite: { head_sha: oid } },
  branches: [{ name: "x" }],
};
const HOOK = {
  ...{
    object_kind: "merge_request",
    project: { web_url: "https://gitlab.com/g/p" },
    ref: "refs/heads/x",
    checkout_sha: oid,
  },
  ...{
    object_attributes: { iid: 1, sha: oid, ref: "x", last_commit: { id: oid } },
    merge_request: { iid: 1 },
    sha: oid,
  },
};

function readGithub(body: unknown): unknown {
  const asked = { plugin: "github", vendor: "GitHub", what: "the query" };
  const { repository } = parseAnswer(ChangesAnswer, readGraphql(body, { host: "github.com" }).data, asked);
  const [facts, talk] = [Facts.safeParse(repository?.["p1"]).data, Talk.safeParse(repository?.["p1"]).data];
  const baseChecks = Base.safeParse(repository?.ref?.target).data?.statusCheckRollup?.contexts ?? [];
  return facts && talk && readPull({ ...facts, ...talk }, { baseHead: oid, baseChecks, isYoung: false });
}

function readGitlab(body: unknown): unknown {
  const { record, statuses, discussions, approvals, reviewers, versions } = Object(body) as Record<string, unknown>;
  const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
  const parsed = parseAnswer(ApprovalsRecord, approvals, { plugin: "gitlab", vendor: "GitLab", what: "approvals" });
  const said = toReviews({
    discussions: readable(DiscussionRecord, list(discussions)),
    approvals: parsed.approved_by,
    reviewers: readable(ReviewerRecord, list(reviewers)),
    versions: readable(VersionRecord, list(versions)),
    isMember: () => true,
    now: 0,
  });
  return readable(MergeRequestRecord, [record]).map((one) =>
    readMergeRequest(
      {
        record: one,
        statuses: readable(StatusRecord, list(statuses)),
        said: { ...said, approvals: parsed, removal: null },
        settings: SETTINGS,
        baseHead: oid,
        baseStatuses: readable(StatusRecord, list(statuses)),
        train: null,
      },
      false,
    ),
  );
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** Parsers of forge deliveries and answers, with examples. */
export const FORGE_PARSERS = {
  "webhooks of GitHub": {
    examples: [JSON.stringify(WEBHOOK), `payload=${encodeURIComponent(JSON.stringify(WEBHOOK))}`],
    parse: (text: string) =>
      githubWebhook.parse(
        deliver(text, text.startsWith("payload=") ? "application/x-www-form-urlencoded" : "application/json"),
      ),
  },
  "webhooks of GitLab": {
    examples: [JSON.stringify(HOOK)],
    parse: (text: string) => gitlabWebhook.parse(deliver(text, "application/json")),
  },
  "pull requests of GitHub": {
    examples: [JSON.stringify({ data: { repository: { ref: { target: { oid } }, p1: PULL } }, errors: [] })],
    parse: (text: string) => readGithub(parsed(text)),
  },
  "merge requests of GitLab": {
    examples: [JSON.stringify(MERGE_REQUEST)],
    parse: (text: string) => readGitlab(parsed(text)),
  },
};
