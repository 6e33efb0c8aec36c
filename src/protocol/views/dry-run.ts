import { z } from "zod";
import type { View } from "./view.ts";

export const DRY_RUN_KINDS = [
  "automatic",
  "sooner",
  "waits",
  "later",
  "fewer-messages",
  "more-messages",
  "fewer-escalations",
  "more-escalations",
  "fewer-notifications",
  "more-notifications",
  "fewer-actions",
  "more-actions",
  "fewer-holds",
  "more-holds",
  "still-waits",
  "unknown",
  "unfinished",
  "bad-caught",
  "bad",
] as const;

export const DryRunRowView = z
  .object({
    kind: z
      .enum(DRY_RUN_KINDS)
      .describe(
        "Merges: automatic, sooner, waits, later and still-waits compare how long each waits for a person; unknown: the log does not have " +
          "what the rules need; unfinished: a commit that people changed or closed instead would have been merged; bad and bad-caught: the " +
          "main guard reverted it, and it would have merged without or only with a person. escalations: after a message that did not help. " +
          "holds: merges held for quiet hours. actions: everything else that rules do.",
      ),
    count: z.int(),
    reason: z.string().nullable().describe("Such as: needs 1 approval; null: nothing to add."),
    savedMs: z.int().describe("Waiting time that these merges would have saved; 0: none."),
    examples: z
      .array(
        z.object({
          pullRequest: z.string().nullable().describe("Such as my-app/3."),
          session: z.string().nullable(),
          name: z.string().describe("Such as #3."),
          text: z.string().nullable().describe("The step of a rule; null for merges."),
        }),
      )
      .describe("At most three."),
  })
  .meta({ id: "DryRunRow", description: "One difference between the rules in force and the proposed ones." });
export type DryRunRowView = View<typeof DryRunRowView>;

export const DryRunView = z
  .object({
    projects: z
      .array(z.string())
      .describe("Projects whose rules would change; if there are none, nothing was replayed."),
    since: z.iso.datetime().describe("7 days ago, or later if there are very many events."),
    events: z.int().describe("Events since then that were replayed."),
    tookMs: z.int(),
    data: z.array(DryRunRowView).describe("Empty: the rules would have done the same."),
  })
  .meta({ id: "DryRun", description: "What a changed configuration would have done in the last 7 days." });
export type DryRunView = View<typeof DryRunView>;
