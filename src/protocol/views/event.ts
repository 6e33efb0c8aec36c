import { z } from "zod";
import type { View } from "./view.ts";

export const EventView = z
  .object({
    position: z.int(),
    stream: z.string(),
    type: z.string(),
    at: z.iso.datetime(),
    text: z.string().describe("One sentence for people."),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "EventView", description: "One event of the log." });
export type EventView = View<typeof EventView>;
