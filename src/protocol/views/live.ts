import { z } from "zod";
import { FleetView } from "./fleet.ts";
import { InboxView } from "./inbox.ts";
import { ProjectView } from "./project.ts";
import { PullRequestView } from "./pull-request.ts";
import { SessionView } from "./session.ts";
import type { View } from "./view.ts";

const removed = z.literal(true).exactOptional().describe("It has left the lists of the API.");

const Signal = z.object({
  sessionId: z.string(),
  activity: z.string().nullable(),
  evidence: z.string(),
  lastSignalAt: z.string(),
});

/** A message of `GET /api/live`: the name of its event, and its data. */
export const LiveMessage = z.discriminatedUnion("event", [
  z.object({ event: z.literal("session"), data: SessionView.extend({ removed }) }),
  z.object({ event: z.literal("pull-request"), data: PullRequestView.extend({ removed }) }),
  z.object({ event: z.literal("project"), data: ProjectView.extend({ removed }) }),
  z.object({ event: z.literal("inbox"), data: z.object({ data: z.array(InboxView) }) }).describe("The whole inbox."),
  z.object({ event: z.literal("fleet"), data: FleetView }),
  z.object({ event: z.literal("signal"), data: Signal }).describe("What an agent reported between two events."),
  z
    .object({ event: z.literal("start"), data: z.object({ position: z.number() }) })
    .describe("The first message for a client that did not say where it was."),
  z
    .object({
      event: z.literal("reset"),
      data: z.object({ reason: z.enum(["another-store", "too-far-behind", "views-failed"]) }),
    })
    .describe("Too much has changed: load the lists again. The stream continues."),
]);
export type LiveMessage = View<typeof LiveMessage>;
