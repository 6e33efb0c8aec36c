import { z } from "zod";
import { ACTION_NAMES } from "../../core/need/need.ts";
import { QuestionView } from "./question.ts";
import type { View } from "./view.ts";

export const ActionView = z
  .object({
    action: z.enum(ACTION_NAMES),
    sessionId: z.string().nullable(),
    pullRequest: z.string().nullable().describe("`<project>/<number>`."),
    check: z.string().nullable().describe("The check whose log is meant, or that runs again."),
  })
  .meta({ id: "ActionView", description: "Something a person can do next; each client words it." });
export type ActionView = View<typeof ActionView>;

const Need = z.object({
  id: z.string(),
  kind: z.string().describe("question, permission, review, ci-failed, agent-stuck ..."),
  actions: z.array(ActionView).describe("What a person can do about it; the first one usually helps."),
  rank: z
    .int()
    .describe(
      "Smallest first: 0 blocks other tasks, 1 question, 2 broken, 3 ready to merge, 4 review, 5 the rest. Within a rank the order is wait × (1 + blocked tasks).",
    ),
  attempts: z.int().nullable().describe("Messages the agent got about it; null: it gets none."),
  at: z.iso.datetime().describe("When it was put to a person."),
  since: z.iso.datetime().describe("When the trouble began."),
});

export const AttentionView = Need.extend({
  text: z.string().describe("What is needed, without the session's name and title."),
}).meta({ id: "AttentionView", description: "Why a session needs a person: its most pressing inbox entry." });
export type AttentionView = View<typeof AttentionView>;

export const InboxView = Need.extend({
  projectId: z.string(),
  sessionId: z.string().describe("The session, or instead a project or pull request."),
  pullRequest: z.string().nullable().describe("`<project>/<number>` of the pull request it is about."),
  canAcknowledge: z.boolean().describe("Can be dismissed; anything else leaves when it is dealt with."),
  text: z.string(),
  choices: z.array(z.string()),
  question: QuestionView.nullable().describe("The question, if the entry is one."),
  blocks: z.array(z.string()).describe("Open tasks that depend on the session's issue."),
  state: z.enum(["open", "dismissed", "snoozed"]),
  snoozedUntil: z.iso.datetime().nullable(),
}).meta({ id: "InboxView", description: "Something that only a person can decide." });
export type InboxView = View<typeof InboxView>;

export const ResolvedView = z
  .object({
    id: z.string(),
    kind: z.string().describe("As in the inbox."),
    projectId: z.string(),
    sessionId: z.string().nullable(),
    pullRequest: z.string().nullable().describe("`<project>/<number>`."),
    title: z.string().describe("Of the session or pull request."),
    text: z.string().describe("What was needed."),
    how: z.string().describe("How it was resolved."),
    by: z
      .string()
      .nullable()
      .describe("Who resolved it; null: not in the log (such as for an answer), or it cleared on its own."),
    at: z.iso.datetime().describe("When it was put to a person."),
    resolvedAt: z.iso.datetime(),
  })
  .meta({ id: "ResolvedView", description: "Something that needed a person and is over." });
export type ResolvedView = View<typeof ResolvedView>;
