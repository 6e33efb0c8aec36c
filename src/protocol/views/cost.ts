import { z } from "zod";
import { COST_GROUPINGS } from "../choices.ts";
import type { View } from "./view.ts";

export const CostView = z
  .object({
    inputTokens: z.int().describe("Everything that went in, cached tokens included."),
    cachedTokens: z.int(),
    outputTokens: z.int(),
    costUsd: z.number().nullable().describe("Reported by agents, estimated where they report none; null: unknown."),
    estimatedUsd: z.number().describe("How much of `costUsd` is an estimate."),
    unpricedTokens: z.int().describe("Tokens without a known price, left out of `costUsd`."),
  })
  .meta({ id: "CostView", description: "Tokens and US dollars." });
export type CostView = View<typeof CostView>;

export const CostGrouping = z.enum(COST_GROUPINGS).describe("What costs are summed up by.");
export type CostGrouping = View<typeof CostGrouping>;

export const CostRowView = CostView.extend({
  key: z
    .string()
    .describe(
      "A session, a task, pull requests, an outcome (`merged`, `in-progress`, `discarded`), a reason (`work`, `review`, `fixes`), a model, or a day (UTC).",
    ),
  title: z.string().nullable(),
  sessions: z.int(),
}).meta({ id: "CostRowView" });
export type CostRowView = View<typeof CostRowView>;

export const CostsView = z
  .object({
    by: CostGrouping,
    since: z.string().nullable(),
    data: z.array(CostRowView),
    next: z
      .string()
      .exactOptional()
      .describe("Send it as `cursor` for the following page; absent: this is the last one."),
    total: CostView.describe("Of all rows, whatever the page."),
    pricesDate: z.string().describe("The date of the list prices behind the estimates."),
  })
  .meta({ id: "CostsView" });
export type CostsView = View<typeof CostsView>;

export const SessionCostView = CostView.extend({
  sessionId: z.string(),
  since: z.string().nullable(),
  models: z.array(CostRowView),
  days: z.array(CostRowView),
  pricesDate: z.string().describe("The date of the list prices behind the estimates."),
}).meta({ id: "SessionCostView" });
export type SessionCostView = View<typeof SessionCostView>;
