import { z } from "zod";
import { QuestionView } from "./question.ts";
import type { View } from "./view.ts";

const Message = z
  .object({
    kind: z.literal("message"),
    from: z.enum(["person", "ao", "terminal"]),
    text: z.string(),
    about: z.string().nullable().describe("The problem that a message from `ao` is about, such as `ci-failed:unit`."),
  })
  .describe("The task or a message: from a person, from `ao` about a problem, or typed at the agent's own interface.");
const Say = z.object({ kind: z.literal("say"), text: z.string() }).describe("The agent's words, in Markdown.");
const Tool = z
  .object({
    kind: z.literal("tool"),
    tool: z.string(),
    name: z.string(),
    title: z.string(),
    input: z.string().nullable().describe("What else it was given, such as the text of a file."),
  })
  .describe("A tool call; its `result` follows with the same `tool`.");
const Result = z.object({
  kind: z.literal("result"),
  tool: z.string(),
  ok: z.boolean(),
  text: z.string(),
  omitted: z.int().describe("Characters left out."),
});
const Output = z
  .object({ kind: z.literal("output"), stream: z.enum(["out", "err"]), text: z.string() })
  .describe("One line that the agent's program printed, verbatim.");
const Question = z.object({ kind: z.literal("question"), question: QuestionView });
const Answer = z.object({ kind: z.literal("answer"), questionId: z.string(), text: z.string() });
const End = z
  .object({
    kind: z.literal("end"),
    outcome: z.enum(["done", "interrupted", "failed"]),
    text: z.string().nullable(),
  })
  .describe("The turn ended; its last words, unless the agent said them before.");
const Event = z
  .object({
    kind: z.literal("event"),
    type: z.string(),
    level: z.enum(["info", "good", "bad"]),
    text: z.string(),
  })
  .describe("What happened around the agent: checks, reviews, merges, crashes, stops.");

const head = {
  id: z.string().describe("Unique in the session, and the same each time it is read."),
  at: z.iso.datetime().nullable().describe("null: not recorded."),
};

export const TranscriptItem = z
  .discriminatedUnion("kind", [
    Message.extend(head),
    Say.extend(head),
    Tool.extend(head),
    Result.extend(head),
    Output.extend(head),
    Question.extend(head),
    Answer.extend(head),
    End.extend(head),
    Event.extend(head),
  ])
  .meta({ id: "TranscriptItem", description: "One entry of a session's conversation; it never changes." });
export type TranscriptItem = View<typeof TranscriptItem>;

type WithoutHead<T> = T extends unknown ? Omit<T, keyof typeof head> : never;
export type TranscriptContent = WithoutHead<TranscriptItem>;

export const TranscriptPage = z
  .object({
    data: z.array(TranscriptItem),
    cursor: z.string().describe("Opaque; send it back for what comes after this page."),
    older: z
      .string()
      .nullable()
      .describe("Opaque; send it as `cursor` for what comes before this page; null: this is the beginning."),
    over: z.boolean().describe("The session is stopped, and this page reaches its end."),
  })
  .meta({ id: "TranscriptPage", description: "Part of a transcript, oldest first." });
export type TranscriptPage = View<typeof TranscriptPage>;
