import { z } from "zod";
import type { View } from "./view.ts";

const Slots = { used: z.int(), limit: z.int().nullable().describe("null: only the fleet's limit counts.") };

export const CapacityView = z
  .object({
    slots: z.object({ used: z.int(), limit: z.int() }).describe("Agents at work, and how many may work at once."),
    projects: z.array(z.object({ projectId: z.string(), ...Slots, queued: z.int() })),
    agents: z.array(
      z.object({
        agent: z.string(),
        working: z.int(),
        idle: z.int(),
        waiting: z.int().describe("Waiting for a person's answer."),
        rateLimited: z.int(),
        rateLimitedUntil: z.iso
          .datetime()
          .nullable()
          .describe("When the last of them resumes; null: unknown, or none."),
        windows: z
          .array(
            z.object({
              name: z.string(),
              usedPercent: z.number(),
              resetsAt: z.iso.datetime().nullable(),
              exhaustedAt: z.iso
                .datetime()
                .nullable()
                .describe("When it is used up at the pace of the last hour; null: not before it resets, or unknown."),
              samples: z
                .array(z.object({ at: z.iso.datetime(), usedPercent: z.number() }))
                .describe("How it filled, as far as agents reported it since the daemon started."),
            }),
          )
          .describe("Rate-limit windows, as far as agents report them."),
      }),
    ),
    queue: z.array(
      z.object({
        sessionId: z.string(),
        position: z.int().describe("1 starts next."),
        waitsFor: z
          .enum(["fleet", "project", "resume"])
          .describe("A slot of the fleet or project, or the end of a pause."),
        behind: z.array(z.string()).describe("Queued sessions that come first."),
      }),
    ),
    memory: z.object({ rssBytes: z.int() }).describe("Of the daemon; agents are programs of their own."),
  })
  .meta({ id: "CapacityView", description: "How much of the fleet's capacity is used, and what waits for it." });
export type CapacityView = View<typeof CapacityView>;
