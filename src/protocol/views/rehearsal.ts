import { z } from "zod";
import type { View } from "./view.ts";

export const RehearsalView = z
  .object({
    key: z.string(),
    action: z.string().nullable().describe("null: there is no rule."),
    condition: z.string().nullable(),
    obstacle: z.string().nullable().describe("Why nothing can trigger it; null: something can."),
    steps: z.array(
      z.object({
        turns: z.int().describe("Turns that the agent has ended since, without solving anything."),
        afterMs: z.number().describe("Time since the made-up event."),
        text: z.string(),
      }),
    ),
    messages: z.array(z.string()).describe("What the agent would read."),
  })
  .meta({ id: "RehearsalView", description: "What a rule would do about a made-up event that nobody deals with." });
export type RehearsalView = View<typeof RehearsalView>;
