import { z } from "zod";
import type { View } from "./view.ts";

const Counts = z.object({
  messages: z.int().describe("Messages to agents."),
  notifications: z.int().describe("Notifications to people, reminders included."),
  merges: z.int().describe("Merges that a rule requested."),
  actions: z.int().describe("Everything else that rules did: re-runs, labels, comments, commands, reviewers, stops."),
});

export const ReplayView = z
  .object({
    since: z.iso.datetime().nullable().describe("null: since the beginning of the log."),
    events: z.int().describe("Events that were read."),
    data: z.array(
      z.object({
        at: z.iso.datetime(),
        stream: z.string(),
        mark: z
          .enum(["same", "removed", "added"])
          .describe("removed: only by the rules of the time. added: only by the given rules."),
        text: z.string(),
      }),
    ),
    leftOff: z.int().describe("Earlier steps that this answer leaves off."),
    before: Counts.describe("What the rules of the time did."),
    after: Counts.describe("What the given rules would have done; without any: what this version of ao decides."),
  })
  .meta({ id: "Replay", description: "What rules did, and what other rules would have done." });
export type ReplayView = View<typeof ReplayView>;
