import { z } from "zod";
import { NothingBody } from "../bodies/daemon.ts";
import {
  AgentReplyBody,
  ApproveBody,
  BaseBody,
  CloseBody,
  LabelsBody,
  MergeBody,
  OpenPullRequestBody,
  ReplyBody,
  RerunBody,
  ResolveBody,
  ReviewBody,
} from "../bodies/pull-request.ts";
import { EventView } from "../views/event.ts";
import { CheckLogView, PullRequestDetailView, PullRequestView } from "../views/pull-request.ts";
import { type CallTable, count, flag, pageOf, paging } from "./call.ts";

const reading = { tag: "pull requests", scope: "read", errors: ["not-found"] } as const;
const writing = {
  tag: "pull requests",
  scope: "operate",
  errors: ["not-found", "conflict"],
  answer: PullRequestDetailView,
} as const;
const ofSession = { ...writing, errors: ["session-unknown", "session-ambiguous", "not-found", "conflict"] } as const;

export const SESSION_PULL_REQUEST_CALLS = {
  "GET /api/sessions/:id/pull-request": {
    tag: "pull requests",
    scope: "read",
    errors: ofSession.errors,
    summary: "Show a session's open pull request.",
    own: true,
    answer: PullRequestDetailView,
  },
  "POST /api/sessions/:id/pull-request": {
    ...ofSession,
    summary: "Open a pull request for a session's branch.",
    own: true,
    body: OpenPullRequestBody,
    status: 201,
  },
  "POST /api/sessions/:id/reply": {
    ...ofSession,
    summary: "Reply to a review thread as the session's agent.",
    own: true,
    body: AgentReplyBody,
  },
  "POST /api/sessions/:id/approve": {
    ...ofSession,
    summary: "Approve a session's open pull request.",
    body: ApproveBody,
  },
  "POST /api/sessions/:id/review": {
    ...ofSession,
    summary: "Review a session's open pull request.",
    body: ReviewBody,
  },
  "POST /api/sessions/:id/merge": {
    ...ofSession,
    summary: "Request the merge of a session's open pull request.",
    body: MergeBody,
  },
  "DELETE /api/sessions/:id/merge": {
    ...ofSession,
    summary: "Cancel the requested merge of a session's pull request.",
    body: NothingBody,
  },
} as const satisfies CallTable;

export const PULL_REQUEST_CALLS = {
  "GET /api/pull-requests": {
    ...reading,
    summary: "List pull requests, oldest first.",
    errors: ["project-unknown"],
    query: z.strictObject({
      project: z.string().exactOptional(),
      state: z.enum(["open", "merged", "closed", "all"]).exactOptional().describe("Default: open."),
      ...paging,
    }),
    answer: pageOf(PullRequestView),
  },
  "GET /api/pull-requests/find": {
    ...reading,
    summary: "Find a pull request by `#3`, `3`, `project/3` or a session.",
    query: z.strictObject({
      ref: z.string(),
      project: z.string().exactOptional(),
      cwd: z.string().exactOptional().describe("The caller's folder, to find the project when none is named."),
    }),
    answer: PullRequestDetailView,
  },
  "GET /api/pull-requests/:project/:number": {
    ...reading,
    summary: "Show a pull request.",
    answer: PullRequestDetailView,
  },
  "GET /api/pull-requests/:project/:number/diff": {
    ...reading,
    summary: "Show the diff of a pull request.",
    query: z.strictObject({
      since: z.string().exactOptional().describe("The commit of a review: only what changed since then."),
    }),
    answer: z.object({ diff: z.string() }),
  },
  "GET /api/pull-requests/:project/:number/timeline": {
    ...reading,
    summary: "List the events of a pull request.",
    query: z.strictObject({ internal: flag.exactOptional().describe("Internal events too."), ...paging }),
    answer: pageOf(EventView),
  },
  "GET /api/pull-requests/:project/:number/checks/:check/log": {
    ...reading,
    summary: "Read the log of a check.",
    query: z.strictObject({
      cursor: count().exactOptional().describe("The `cursor` of an earlier answer; default: the end of the log."),
    }),
    answer: CheckLogView,
  },
  "POST /api/pull-requests/:project/:number/review": {
    ...writing,
    summary: "Review a pull request.",
    body: ReviewBody,
  },
  "POST /api/pull-requests/:project/:number/merge": {
    ...writing,
    summary: "Request the merge of a pull request.",
    body: MergeBody,
  },
  "DELETE /api/pull-requests/:project/:number/merge": {
    ...writing,
    summary: "Cancel a requested merge.",
    body: NothingBody,
  },
  "POST /api/pull-requests/:project/:number/publish": {
    ...writing,
    summary: "Publish a local pull request on the project's forge.",
    errors: [...writing.errors, "plugin-failed"],
    body: NothingBody,
  },
  "POST /api/pull-requests/:project/:number/base": {
    ...writing,
    summary: "Move a stacked pull request to the default branch.",
    errors: [...writing.errors, "unsupported", "usage"],
    body: BaseBody,
  },
  "POST /api/pull-requests/:project/:number/close": {
    ...writing,
    summary: "Close a pull request without merging.",
    body: CloseBody,
  },
  "POST /api/pull-requests/:project/:number/rerun": { ...writing, summary: "Re-run checks.", body: RerunBody },
  "POST /api/pull-requests/:project/:number/labels": {
    ...writing,
    summary: "Add and remove labels.",
    body: LabelsBody,
  },
  "POST /api/pull-requests/:project/:number/threads/:thread/reply": {
    ...writing,
    summary: "Reply to a review thread.",
    body: ReplyBody,
  },
  "POST /api/pull-requests/:project/:number/threads/:thread/resolve": {
    ...writing,
    summary: "Resolve or reopen a review thread.",
    body: ResolveBody,
  },
} as const satisfies CallTable;
