import { z } from "zod";
import { EventView } from "../views/event.ts";
import { LiveMessage } from "../views/live.ts";
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
  "GET /api/live": {
    tag: "streams",
    scope: "read",
    summary: "Follow the views that change.",
    errors: ["usage"],
    query: z.strictObject({
      since: z
        .string()
        .exactOptional()
        .describe(
          "Start after this: the id of a message, or `fleet.position` of a list; `Last-Event-ID` takes precedence.",
        ),
    }),
    event: LiveMessage,
    delivery:
      "After each commit every view that looks different, as it is then; commits that follow each other closely share one message per view. The " +
      "messages of a commit come together and the last one carries the `id`: with it, or with `since`, a client gets exactly the views that " +
      "changed meanwhile, across restarts of the daemon too. A client that keeps up gets every change once and in order. One that does not " +
      "gets the newest views when it reads again and costs no memory. `reset` says that too much was missed, or that the store is another " +
      "one. `signal` has no id and is not repeated. A comment every 15 s keeps the connection alive.",
  },
} as const satisfies StreamTable;
