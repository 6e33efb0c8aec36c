import { z } from "zod";
import { CostView } from "./cost.ts";
import type { View } from "./view.ts";

export const FleetView = z
  .object({
    paused: z.boolean(),
    pausedProjects: z.array(z.string()).describe("Projects paused on their own while the rest runs."),
    costToday: CostView.describe("Since midnight UTC, stopped sessions included."),
    warnings: z
      .array(z.string())
      .exactOptional()
      .describe("What works and still needs a look, such as a clock that was set back; absent: nothing."),
    position: z.int().describe("The log's last position: `GET /api/events?since=` it continues without a gap."),
  })
  .meta({ id: "FleetView", description: "What applies to all listed sessions together." });
export type FleetView = View<typeof FleetView>;
