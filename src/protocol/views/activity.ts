import { z } from "zod";
import { CHECK_KINDS } from "../../core/activity/check-lane.ts";
import { AGENT_KINDS } from "../../core/activity/track.ts";
import type { View } from "./view.ts";

const times = {
  from: z.iso.datetime(),
  to: z.iso.datetime().nullable().describe("null: it is still so."),
};

export interface SegmentView<Kind> {
  readonly kind: Kind;
  readonly from: string;
  readonly to: string | null;
}

export const ActivityView = z
  .object({
    since: z.iso.datetime(),
    now: z.iso.datetime(),
    data: z.array(
      z.object({
        sessionId: z.string(),
        agent: z
          .array(z.object({ kind: z.enum(AGENT_KINDS), ...times }))
          .describe("Oldest first, at most 60; `review`: its pull request is green and waits for a person."),
        checks: z.array(z.object({ kind: z.enum(CHECK_KINDS), ...times })).describe("Oldest first, at most 60."),
        mergedAt: z.iso.datetime().nullable(),
      }),
    ),
  })
  .meta({ id: "ActivityView", description: "What sessions did over a time, for a shared time axis." });
export type ActivityView = View<typeof ActivityView>;
