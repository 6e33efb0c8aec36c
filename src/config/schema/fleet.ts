import { z } from "zod";
import { FIGURES } from "../figures.ts";
import { key, withSnakeCase } from "./key.ts";
import { PluginRef } from "./plugin-ref.ts";
import { Count, CountOrDuration } from "./scalar.ts";

const Filters = z.strictObject(
  withSnakeCase({
    labels: key(z.array(z.string()), "Takes tasks with one of these labels."),
    excludeLabels: key(z.array(z.string()), "Never takes tasks with one of these labels."),
  }),
);

/** One kind of worker. */
export const FleetAgent = z
  .strictObject({
    id: z.string().min(1).describe("Name of this kind of worker."),
    runtime: key(PluginRef, "Where it runs, instead of the project's runtime."),
    tool: key(PluginRef, "Which agent it is, instead of the project's agent."),
    config: key(
      z.looseObject({
        skills: key(z.array(z.string()), "What it is good at."),
        model: key(z.string(), "Model that it uses."),
      }),
      "Settings of the agent.",
    ),
    filters: key(Filters, "Which tasks it takes."),
  })
  .meta({ id: "FleetAgent" });

const Handler = z
  .strictObject(
    withSnakeCase({
      maxRetries: key(z.int().min(0), "Same as retries of the reaction."),
      escalateAfter: key(CountOrDuration, "Same as escalateAfter of the reaction."),
      autoRespond: key(z.boolean(), "Same as auto of the reaction."),
      requireApprovalAfter: key(z.int().min(0), "Same as requireApprovalAfter of the reaction."),
    }),
  )
  .meta({ id: "ReactionHandler" });

const ReactionHandlers = z.strictObject(
  withSnakeCase({
    ciFailure: key(Handler, "Same as reactions.ci-failed."),
    reviewComments: key(Handler, "Same as reactions.changes-requested and reactions.review-commented."),
    mergeConflict: key(Handler, "Same as reactions.merge-conflict."),
  }),
);

/** How the fleet is run. */
export const Orchestrator = z
  .strictObject(
    withSnakeCase({
      maxParallelAgents: key(Count, "Same as limits.parallelAgents, which wins.", FIGURES.parallelAgents),
      autoAssign: key(z.boolean(), "Start open issues automatically.", FIGURES.autoAssign),
      reactionHandlers: key(ReactionHandlers, "Reactions in another form; `reactions` wins."),
    }),
  )
  .meta({ id: "Orchestrator" });
