import { z } from "zod";
import type { View } from "./view.ts";

export const CheckHistoryView = z
  .object({
    data: z.array(
      z.object({
        check: z.string(),
        runs: z
          .array(
            z.object({
              head: z.string(),
              pullRequest: z.string(),
              attempt: z.int(),
              state: z.string(),
              tookMs: z.number().nullable(),
              at: z.iso.datetime(),
              flaky: z.boolean().describe("It failed and passed on the same commit."),
            }),
          )
          .describe("Oldest first, at most 48."),
      }),
    ),
  })
  .meta({ id: "CheckHistoryView", description: "The last runs of a project's checks on pull requests." });
export type CheckHistoryView = View<typeof CheckHistoryView>;
