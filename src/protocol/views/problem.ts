import { z } from "zod";
import type { View } from "./view.ts";

export const ProblemOfView = z
  .object({
    id: z.string(),
    key: z.string().describe("Its kind and subject, such as `ci-failed:unit`."),
    text: z.string(),
    attempts: z.int().describe("How many messages the agent got because of it."),
    attemptsAllowed: z.int().nullable().describe("How many it can get; null: the agent gets none, a person decides."),
    escalatesAt: z.iso
      .datetime()
      .nullable()
      .describe("When a person is notified at the latest; null: was, or unknown."),
    escalated: z.boolean().describe("A person was notified."),
    acknowledged: z.boolean(),
    since: z.iso.datetime(),
  })
  .meta({ id: "ProblemOfView", description: "A problem of a session or pull request, and what was done about it." });
export type ProblemOfView = View<typeof ProblemOfView>;
