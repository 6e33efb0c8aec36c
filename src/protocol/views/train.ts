import { z } from "zod";
import { CHECK_STATES } from "../../core/change/state.ts";
import { MainHealthView } from "./project.ts";
import type { View } from "./view.ts";

const Car = z.object({
  number: z.int(),
  title: z.string(),
  sessionId: z.string().nullable(),
  head: z.string(),
});

export const TrainView = z
  .object({
    projectId: z.string(),
    base: z.string().describe("The branch that it merges into."),
    baseHead: z.string().nullable(),
    isOn: z.boolean().describe("false: merges happen without a train."),
    pausedBy: z.string().nullable(),
    main: MainHealthView.nullable(),
    batch: z
      .object({
        stage: z.enum(["building", "checking", "waiting", "merging"]),
        text: z.string().describe("What is built of what: `checking a91f04c = main 8c1f02a + #228`."),
        commit: z.string().nullable().describe("What the base becomes; null: it is not built yet."),
        base: z.string(),
        cars: z.array(Car),
        checks: z.array(z.object({ name: z.string(), state: z.enum(CHECK_STATES) })),
        since: z.iso.datetime(),
      })
      .nullable(),
    waiting: z
      .array(Car.extend({ waitsFor: z.array(z.string()).describe("What blocks or holds it; empty: only its turn.") }))
      .describe("Pull requests whose merge is requested, in the order of the train, without those of the batch."),
  })
  .meta({ id: "TrainView", description: "The merge train of a project." });
export type TrainView = View<typeof TrainView>;
