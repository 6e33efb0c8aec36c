import { z } from "zod";
import { EventView } from "../views/event.ts";
import { count, flag, type StreamTable } from "./call.ts";

export const STREAMS = {
  "GET /api/events": {
    tag: "streams",
    scope: "read",
    summary: "Follow the log.",
    errors: ["session-unknown", "session-ambiguous"],
    query: z.strictObject({
      since: count().exactOptional().describe("Start after this position; `Last-Event-ID` takes precedence."),
      follow: flag.exactOptional().describe("false: end at the end of the log. Default: true."),
      stream: z.string().exactOptional().describe("Only this stream, such as `session:app-1`."),
      session: z.string().exactOptional().describe("Only this session, with its pull requests."),
      internal: flag.exactOptional().describe("Internal events too."),
    }),
    event: EventView,
    delivery:
      "Every event after `since` exactly once, in the order of the log; `id` is its position, so `Last-Event-ID` resumes without gap or " +
      "repetition, across restarts of the daemon too. Each client reads the log at its own pace: a slow one misses nothing and costs no memory.",
  },
} as const satisfies StreamTable;
