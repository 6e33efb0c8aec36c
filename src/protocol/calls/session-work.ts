import { z } from "zod";
import { CommitBody } from "../bodies/session.ts";
import { SessionCostView } from "../views/cost.ts";
import { EnvironmentView } from "../views/environment.ts";
import { EventView } from "../views/event.ts";
import { PullRequestView } from "../views/pull-request.ts";
import { AttachView, OutputView } from "../views/session.ts";
import { TranscriptPage } from "../views/transcript.ts";
import { type CallTable, count, day, flag, pageOf, paging } from "./call.ts";
import { reading, steering, UNKNOWN_SESSION } from "./session.ts";

export const SESSION_WORK_CALLS = {
  "POST /api/sessions/:id/commit": {
    ...steering,
    summary: "Commit everything that is changed in its worktree.",
    errors: [...UNKNOWN_SESSION, "session-state", "workspace-missing", "conflict"],
    body: CommitBody,
    status: 201,
    answer: z.object({
      sessionId: z.string(),
      branch: z.string(),
      head: z.string(),
      files: z.int(),
      pullRequest: PullRequestView.nullable(),
    }),
  },
  "GET /api/sessions/:id/timeline": {
    ...reading,
    summary: "List the events of a session and its pull requests, oldest first; without paging the last 1000.",
    query: z.strictObject({ internal: flag.exactOptional().describe("Internal events too."), ...paging }),
    answer: pageOf(EventView),
  },
  "GET /api/sessions/:id/environment": {
    tag: "sessions",
    scope: "read",
    errors: UNKNOWN_SESSION,
    summary: "Explain which variables its agent, checks and hooks get.",
    answer: EnvironmentView,
  },
  "GET /api/sessions/:id/diff": {
    ...reading,
    summary: "Show the diff of its worktree against its base.",
    errors: [...UNKNOWN_SESSION, "workspace-missing"],
    answer: z.object({ diff: z.string() }),
  },
  "GET /api/sessions/:id/output": {
    ...reading,
    summary: "Read what the agent's program printed.",
    query: z.strictObject({
      cursor: z.string().exactOptional().describe("The `cursor` of an earlier answer."),
      last: count().exactOptional().describe("Without a cursor: begin so many bytes before the end."),
      wait: count().exactOptional().describe("Milliseconds to wait for new output, at most 30000."),
    }),
    answer: OutputView,
  },
  "GET /api/sessions/:id/transcript": {
    ...reading,
    summary: "Read the conversation: its newest entries, or those after or before a cursor.",
    query: z.strictObject({
      cursor: z.string().exactOptional().describe("The `cursor` or `older` of an earlier page."),
      limit: count().exactOptional().describe("Entries per page, at most 1000; default 100."),
      wait: count().exactOptional().describe("Milliseconds to wait for new entries, at most 30000."),
    }),
    answer: TranscriptPage,
  },
  "GET /api/sessions/:id/cost": {
    ...reading,
    summary: "Show what a session cost.",
    query: z.strictObject({ since: day.exactOptional() }),
    answer: SessionCostView,
  },
  "GET /api/sessions/:id/attach": {
    ...reading,
    summary: "Tell how to attach to its terminal.",
    answer: AttachView,
  },
} as const satisfies CallTable;
