import { z } from "zod";
import { QuestionView } from "./question.ts";
import type { View } from "./view.ts";

export const AttentionView = z
  .object({
    kind: z.string().describe("As in the inbox: question, review, ci-failed ..."),
    text: z.string().describe("What is needed, without the session's name and title."),
    act: z.string().describe("The command that deals with it."),
    at: z.iso.datetime(),
  })
  .meta({ id: "AttentionView", description: "Why a session needs a person: its most pressing inbox entry." });
export type AttentionView = View<typeof AttentionView>;

export const InboxView = z
  .object({
    id: z.string(),
    sessionId: z.string().describe("The session, or what stands in its place: a project, a pull request."),
    pullRequest: z.string().nullable().describe("`<project>/<number>` of the pull request it is about."),
    canAcknowledge: z.boolean().describe("Can be dismissed; anything else leaves when it is dealt with."),
    kind: z.string(),
    text: z.string(),
    choices: z.array(z.string()),
    question: QuestionView.nullable().describe("The question, if the entry is one."),
    act: z.string().describe("The command that deals with it."),
    at: z.iso.datetime(),
  })
  .meta({ id: "InboxView", description: "Something that only a person can decide." });
export type InboxView = View<typeof InboxView>;
