import { z } from "zod";
import { RULE_KINDS } from "../../core/merge/rule-kind.ts";
import { ProblemOfView } from "./problem.ts";
import { ProofView } from "./proof.ts";
import type { View } from "./view.ts";

const CheckPhase = z.enum(["set-up", "run"]).nullable();

export const CheckView = z
  .object({
    name: z.string(),
    state: z.string(),
    required: z.boolean(),
    head: z.string(),
    attempt: z.int(),
    code: z.int().nullable(),
    phase: CheckPhase.describe("What it does while it runs; null: it is not running, or not known yet."),
    startedAt: z.iso.datetime().nullable().describe("Set while it runs."),
    tookMs: z.number().nullable(),
    sandboxed: z
      .literal(true)
      .exactOptional()
      .describe("It ran in a sandbox; absent: as you, or it has not ended yet."),
    refused: z
      .string()
      .exactOptional()
      .describe("What its sandbox refused, with the setting that allows it; absent: nothing."),
    at: z.iso.datetime(),
  })
  .meta({ id: "CheckView" });
export type CheckView = View<typeof CheckView>;

export const CheckLogView = z
  .object({
    check: z.string(),
    head: z.string(),
    attempt: z.int(),
    state: z.string(),
    phase: CheckPhase,
    log: z.string(),
    cursor: z.int().describe("Send it back to read on."),
  })
  .meta({
    id: "CheckLogView",
    description: "Part of a check's log as plain text, set-up first; it can be read while the check runs.",
  });
export type CheckLogView = View<typeof CheckLogView>;

export const LineCountView = z
  .object({ added: z.int(), removed: z.int(), files: z.int() })
  .meta({ id: "LineCountView" });
export type LineCountView = View<typeof LineCountView>;

export const PullRequestView = z
  .object({
    key: z.string().describe("`<project>/<number>`."),
    projectId: z.string(),
    number: z.int(),
    sessionId: z.string().nullable(),
    issue: z.string().nullable(),
    title: z.string(),
    branch: z.string(),
    base: z.string(),
    on: z
      .string()
      .exactOptional()
      .describe("What it is stacked on: `#7`, or a session without a pull request; absent: nothing."),
    head: z.string(),
    url: z.string().optional().describe("Its page on the forge; absent: it has none."),
    phase: z.string().describe("open, merged or closed."),
    status: z.string().describe("What is worst, or what comes next: ci-failed, review-pending, mergeable ..."),
    evidence: z.string(),
    checks: z.array(CheckView),
    approvals: z.array(z.string()),
    labels: z.array(z.string()),
    lines: LineCountView.nullable().describe("What it changes against its base; null: not counted."),
    blockers: z.array(z.string()).describe("What blocks its merge; empty: nothing."),
    mergeCommit: z.string().nullable(),
    openedAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "PullRequestView", description: "A pull request as lists show it." });
export type PullRequestView = View<typeof PullRequestView>;

export const ReviewView = z
  .object({
    id: z.string(),
    author: z.string(),
    verdict: z.enum(["approve", "request-changes", "comment"]),
    body: z.string().nullable(),
    head: z.string(),
    at: z.iso.datetime(),
  })
  .meta({ id: "ReviewView" });
export type ReviewView = View<typeof ReviewView>;

export const ThreadView = z
  .object({
    id: z.string(),
    reviewId: z.string(),
    path: z.string().nullable(),
    line: z.int().nullable(),
    resolvedBy: z.string().nullable(),
    comments: z.array(
      z.object({
        id: z.string(),
        author: z.string(),
        byAgent: z.boolean(),
        text: z.string(),
        at: z.iso.datetime(),
      }),
    ),
  })
  .meta({ id: "ThreadView" });
export type ThreadView = View<typeof ThreadView>;

export const RuleView = z
  .object({
    kind: z.enum(RULE_KINDS),
    rule: z.string(),
    verdict: z.enum(["met", "waiting", "blocking", "overridden"]),
    text: z.string(),
    missing: z.int().exactOptional().describe("Only of `approvals`: how many are missing."),
  })
  .meta({
    id: "RuleView",
    description: "One rule about merging. waiting: clears on its own; blocking: somebody has to act.",
  });
export type RuleView = View<typeof RuleView>;

export const PullRequestDetailView = PullRequestView.extend({
  body: z.string().nullable(),
  reviews: z.array(ReviewView),
  threads: z.array(ThreadView),
  problems: z.array(ProblemOfView),
  mergeability: z.object({ kind: z.string(), files: z.array(z.string()) }).nullable(),
  rules: z.array(RuleView).describe("Every rule that decides about the merge; empty unless the pull request is open."),
  mergeRequest: z
    .object({
      by: z.string(),
      strategy: z.string(),
      reason: z.string().nullable(),
      override: z.string().nullable().describe("Why it is merged against the project's own rules."),
    })
    .nullable(),
  refusal: z.string().nullable().describe("Why the last attempt to merge this commit failed."),
  proof: ProofView.exactOptional().describe("Why it was merged; absent: it is not merged."),
  logs: z.record(z.string(), z.string()).describe("By check: the end of its log."),
}).meta({ id: "PullRequestDetailView", description: "A pull request with everything known about it." });
export type PullRequestDetailView = View<typeof PullRequestDetailView>;
