import { z } from "zod";
import { CostView } from "./cost.ts";
import { AttentionView } from "./inbox.ts";
import { ProblemOfView } from "./problem.ts";
import { LineCountView, PullRequestView } from "./pull-request.ts";
import { QuestionView } from "./question.ts";
import type { View } from "./view.ts";

const State = z.enum(["idle", "working", "waiting", "error"]);

export const SessionView = z
  .object({
    id: z.string(),
    projectId: z.string(),
    title: z.string(),
    issue: z.string().nullable(),
    role: z.string(),
    status: z.string(),
    state: State,
    evidence: z.string(),
    activity: z.string().nullable().describe("What the agent is doing, in one line; null: nothing, or unknown."),
    attention: AttentionView.nullable().describe("Why it needs a person; null: it does not."),
    uncommitted: z.int().describe("Files that its last turn left changed and not committed."),
    agent: z.string(),
    runtime: z.string(),
    sandbox: z
      .literal("bubblewrap")
      .exactOptional()
      .describe("What its agent runs in; absent: nothing, it runs as you."),
    branch: z.string(),
    on: z
      .string()
      .exactOptional()
      .describe("What it builds on and is not merged: `#7`, or a session; absent: nothing."),
    workspacePath: z.string().nullable(),
    lastSignalAt: z.iso.datetime().nullable().describe("The agent's last sign of life; null: none yet."),
    signalSource: z
      .enum(["protocol", "hook", "history", "terminal"])
      .nullable()
      .describe("Where that came from: the agent's protocol, its hooks, its history file, or a terminal screen."),
    question: QuestionView.nullable().describe("The open question."),
    lines: LineCountView.nullable().describe("What its branch changes against its base; null: not counted yet."),
    blocks: z.array(z.string()).describe("Open tasks of the project that depend on this one's issue."),
    problem: ProblemOfView.nullable().describe("The worst of its problems and those of its open pull request."),
    pullRequests: z.array(PullRequestView),
    cost: CostView,
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "SessionView", description: "A session as lists show it." });
export type SessionView = View<typeof SessionView>;

export const MessageView = z
  .object({
    id: z.string(),
    kind: z.string(),
    delivery: z
      .enum(["queued", "sending", "unconfirmed", "delivered", "unknown", "failed", "withdrawn"])
      .describe("delivered: the agent confirmed it; unconfirmed: sent, no receipt."),
    attempt: z.int(),
    bytes: z.int(),
    preview: z.string().nullable().describe("Its first 80 characters, in one line; null: not recorded."),
    reason: z.string().nullable(),
    at: z.iso.datetime(),
  })
  .meta({ id: "MessageView", description: "A message to an agent, and where it is." });
export type MessageView = View<typeof MessageView>;

export const SessionDetailView = SessionView.extend({
  summary: z.string().nullable(),
  messages: z.array(MessageView),
  run: z.object({
    n: z.int(),
    state: z.string(),
    pid: z.int().nullable(),
    evidence: z.string().nullable(),
  }),
  workspace: z.object({
    state: z.string(),
    reason: z.string().nullable(),
    preservedRef: z.string().nullable(),
    notes: z.array(z.string()),
  }),
  movedFrom: z.string().nullable().describe("The runtime it was created with, while it is in another one."),
  baseCommit: z.string().nullable(),
  ahead: z
    .int()
    .nullable()
    .describe("Commits beyond its base after the last turn; null: unknown, or a turn is running."),
  agentStatus: z.string().describe("What the agent does, whatever its pull request needs."),
  untrusted: z
    .object({
      from: z.string().describe("Who wrote what it read last."),
      via: z
        .string()
        .nullable()
        .describe("The session whose agent read it, if this one is based on its work; null: its own agent did."),
      at: z.iso.datetime(),
      onlyHosts: z
        .array(z.string())
        .nullable()
        .describe("The only hosts its agent reaches since then; null: its network is not restricted."),
      notRestricted: z
        .string()
        .nullable()
        .describe("Why `trust.network` has no effect on it; null: it has, or it is not set."),
    })
    .nullable()
    .describe("The agent has read untrusted text, or works on what such an agent wrote; null: neither."),
  problems: z.array(ProblemOfView).describe("Its own and those of its open pull request."),
}).meta({ id: "SessionDetailView", description: "A session with everything known about it." });
export type SessionDetailView = View<typeof SessionDetailView>;

export const CreatedSessionView = SessionDetailView.extend({
  notes: z.array(z.string()).describe("What the caller should know about how it was understood."),
}).meta({ id: "CreatedSessionView" });

export const SessionStatusView = z
  .object({
    agent: z.string(),
    state: State,
    status: z.string(),
    evidence: z.string(),
    currentTask: z.string(),
    branch: z.string(),
    workspacePath: z.string().nullable(),
  })
  .meta({ id: "SessionStatusView", description: "What a session does, in short." });
export type SessionStatusView = View<typeof SessionStatusView>;

export const OutputView = z
  .object({
    text: z.string().describe("Output of the session's runs after `cursor`, in order."),
    cursor: z.string().describe("Opaque; send it back to read on."),
    over: z.boolean().describe("The session is stopped, and all of its output was read."),
  })
  .meta({ id: "OutputView" });
export type OutputView = View<typeof OutputView>;

export const AttachView = z
  .object({
    command: z
      .object({ program: z.string(), args: z.array(z.string()) })
      .nullable()
      .describe("Run it to use the terminal; null: there is none, follow the output instead."),
  })
  .meta({ id: "AttachView" });
export type AttachView = View<typeof AttachView>;
