import { z } from "zod";
import { CHECKED_TREES } from "../../core/merge/proof.ts";
import { CostView } from "./cost.ts";
import type { View } from "./view.ts";

export const ProofView = z
  .object({
    commit: z.string(),
    by: z.string(),
    strategy: z.string(),
    at: z.iso.datetime(),
    isRecorded: z.boolean().describe("false: merged by an older version of ao, or while no rules were known."),
    rules: z.array(
      z.object({
        rule: z.string(),
        verdict: z.enum(["met", "waiting", "blocking", "overridden"]),
        text: z.string(),
      }),
    ),
    checks: z.array(
      z.object({
        name: z.string(),
        isRequired: z.boolean(),
        state: z.string(),
        code: z.int().nullable().describe("Its exit code; null: unknown."),
        commit: z.string().describe("The commit it ran on."),
        tree: z
          .enum(CHECKED_TREES)
          .describe(
            "result: exactly the merged files. batch: a later commit of its merge train batch. head: the head of its branch.",
          ),
        tookMs: z.number().nullable(),
        text: z.string().describe("How it ended and what it ran on, in words."),
      }),
    ),
    approvals: z.array(z.string()),
    override: z.string().nullable().describe("Why it was merged against the project's own rules."),
    cost: z
      .object({
        total: CostView.describe("Its session, and discarded attempts at the same task."),
        fixes: CostView.describe("Wasted on failed checks and conflicts."),
        discarded: CostView.describe("Wasted on sessions of the same task that merged nothing."),
        text: z.string(),
      })
      .nullable()
      .describe("null: nothing was used."),
  })
  .meta({ id: "ProofView", description: "Why a merge was allowed, and what it cost." });
export type ProofView = View<typeof ProofView>;
