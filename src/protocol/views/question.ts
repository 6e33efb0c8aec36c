import { z } from "zod";
import type { View } from "./view.ts";

export const QuestionView = z
  .object({
    id: z.string(),
    kind: z
      .enum(["permission", "question"])
      .describe("permission: the agent wants to do something; question: it wants to know something."),
    question: z.string(),
    detail: z
      .object({
        format: z.enum(["command", "diff", "text"]),
        text: z.string(),
        isCut: z.literal(true).exactOptional().describe("Only in lists: the session's own view has the rest."),
      })
      .nullable()
      .describe("Verbatim: the whole command, the diff of an edit, or any other text."),
    choices: z.array(z.string()),
    descriptions: z.record(z.string(), z.string()).describe('By choice: what it means, such as the scope of "always".'),
    freeText: z
      .boolean()
      .describe("Any other answer is allowed too; for a permission it denies with that text as the reason."),
    answered: z.literal(true).exactOptional().describe("Answered; the answer is on its way to the agent."),
  })
  .meta({
    id: "QuestionView",
    description: "An agent's question, in full: newlines and control characters are as the agent sent them.",
  });
export type QuestionView = View<typeof QuestionView>;
