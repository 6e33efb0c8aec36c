import { z } from "zod";
import { DismissBody, PauseBody, SnoozeBody, TrainBody } from "../bodies/daemon.ts";
import { ActivityView } from "../views/activity.ts";
import { CapacityView } from "../views/capacity.ts";
import { CostGrouping, CostsView } from "../views/cost.ts";
import { InboxView, ResolvedView } from "../views/inbox.ts";
import { CollisionView } from "../views/radar.ts";
import { TrainView } from "../views/train.ts";
import { aliasOf, type CallTable, day, listOf, paging } from "./call.ts";

const reading = { tag: "fleet", scope: "read", errors: [] } as const;
const writing = { tag: "fleet", scope: "operate" } as const;

export const FLEET_CALLS = {
  "GET /api/inbox": {
    ...reading,
    summary: "List what needs a person, most pressing first.",
    query: z.strictObject({
      show: z.enum(["open", "dismissed", "snoozed"]).exactOptional().describe("Default: open."),
    }),
    answer: listOf(InboxView),
  },
  "GET /api/inbox/resolved": {
    ...reading,
    summary: "List what needed a person in the last 24 hours and is over, newest first; at most 200.",
    answer: listOf(ResolvedView),
  },
  "POST /api/inbox/ack": {
    ...writing,
    summary: "Dismiss an inbox entry; it returns if the problem changes.",
    errors: ["not-found", "conflict"],
    body: DismissBody,
    answer: z.object({ acknowledged: z.literal(true), id: z.string() }),
  },
  "POST /api/inbox/pass": {
    ...writing,
    summary: "Pass on to the agent what waits in the inbox for your approval.",
    errors: ["not-found", "conflict"],
    body: DismissBody,
    answer: z.object({ passed: z.literal(true), id: z.string() }),
  },
  "POST /api/inbox/snooze": {
    ...writing,
    summary: "Snooze an inbox entry until a time; it returns earlier if it changes.",
    errors: ["not-found"],
    body: SnoozeBody,
    answer: z.object({ id: z.string(), snoozedUntil: z.iso.datetime() }),
  },
  "POST /api/pause": {
    ...writing,
    summary: "Pause a project, or everything.",
    errors: ["project-unknown"],
    body: PauseBody,
    answer: z.object({ paused: z.literal(true) }),
  },
  "POST /api/resume": {
    ...writing,
    summary: "Resume after a pause.",
    errors: ["project-unknown"],
    body: PauseBody,
    answer: z.object({ paused: z.literal(false) }),
  },
  "GET /api/activity": {
    ...reading,
    summary: "Show what sessions did over the last hours, as segments of time.",
    errors: ["project-unknown"],
    query: z.strictObject({
      since: z.iso.datetime({ offset: true }).exactOptional().describe("Default: 3 hours ago; at most 24 hours ago."),
      project: z.string().exactOptional(),
    }),
    answer: ActivityView,
  },
  "GET /api/capacity": {
    ...reading,
    summary: "Show how many agents work, what each kind does, and what waits for a slot.",
    answer: CapacityView,
  },
  "GET /api/radar": {
    ...reading,
    summary: "List sessions whose work would conflict, with each other or with the base branch.",
    errors: ["project-unknown"],
    query: z.strictObject({ project: z.string().exactOptional() }),
    answer: listOf(CollisionView),
  },
  "GET /api/train": {
    ...reading,
    summary: "Show the merge train of each project: what is tried now, and what waits.",
    errors: ["project-unknown"],
    query: z.strictObject({ project: z.string().exactOptional() }),
    answer: listOf(TrainView),
  },
  "POST /api/train/:project": {
    ...writing,
    summary: "Pause or resume the merge train of a project, or give a pull request another place in it.",
    errors: ["project-unknown", "conflict", "not-found"],
    body: TrainBody,
    answer: TrainView,
  },
  "GET /api/costs": {
    ...reading,
    summary: "Sum up costs.",
    errors: ["project-unknown"],
    query: z.strictObject({
      // The word used by scripts of the first version.
      by: aliasOf(CostGrouping, { change: "pull-request" }).exactOptional().describe("Default: session."),
      project: z.string().exactOptional(),
      since: day.exactOptional(),
      ...paging,
    }),
    answer: CostsView,
  },
} as const satisfies CallTable;
